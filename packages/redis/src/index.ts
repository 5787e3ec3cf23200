export { type RedisClient, RedisSettingsError } from './redis-client.ts'
export { redisLedger, type RedisLedger, type RedisLedgerOptions } from './redis-ledger.ts'
