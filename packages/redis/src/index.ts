export { RedisSettingsError } from './redis-client.ts'
export { redisLedger, type RedisLedger, type RedisLedgerOptions } from './redis-ledger.ts'
export type { RedisClient } from './redis-client.ts'
