export { RedisSettingsError } from './check-server.ts'
export { redisLedger, type RedisLedger, type RedisLedgerOptions } from './ledger/redis-ledger.ts'
export {
  redisGenerations,
  type RedisGenerations,
  type RedisGenerationsOptions,
} from './generations/redis-generations.ts'
export { redisBucket, type RedisBucket, type RedisBucketOptions, type Taken } from './limits/redis-bucket.ts'
export { redisCounter, type RedisCounter, type RedisCounterOptions } from './limits/redis-counter.ts'
export type { RedisClient } from './redis-client.ts'
