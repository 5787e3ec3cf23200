import type { RedisOptions } from 'ioredis'
import type { OwnDatabase } from './own-tables.ts'
import type { PlatformKind } from './platform.ts'

/** Settings of a process that serves a shop. The last two kinds of shop are wrong, so that a test can find them. */
export interface ShopSettings {
  readonly shop:
    | { readonly kind: 'store-sql'; readonly url: string }
    | { readonly kind: 'own tables' | 'effect first' | 'click first'; readonly database: OwnDatabase }
    | { readonly kind: 'platform'; readonly redis: RedisOptions }
  readonly platform: { readonly url: string; readonly kind: PlatformKind }
  readonly timeoutMs: number
  readonly windowMs: number
}

/** API key that every shop accepts. */
export const apiKey = 'a-key-of-the-tests-0001'
