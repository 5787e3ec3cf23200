import { noMariadb } from '@storeport/testing/start-mariadb'
import { noRedis } from '@storeport/testing/start-redis'
import { describe, expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { noTracing, sweep } from './kill-sweep.ts'
import type { ShopRow } from './open-shop.ts'

/*
 * Kills a shop at each system call of one click that writes to a storage or a socket, starts it again, repeats the click
 * and counts the effects. A gift is a call of a platform and a change of own rows (rule 22).
 */

const maxPoints = isNightly ? Infinity : 4
const timeout = 900_000
const missing = noTracing()

const shops: readonly (ShopRow & { readonly unavailable?: string | undefined })[] = [
  { kind: 'store-sql', storage: 'SQLite' },
  { kind: 'store-sql', storage: 'PostgreSQL' },
  { kind: 'own tables', storage: 'SQLite' },
  { kind: 'own tables', storage: 'PostgreSQL' },
  { kind: 'own tables', storage: 'MariaDB', unavailable: noMariadb },
  { kind: 'platform', storage: 'Redis', platform: 'honours', unavailable: noRedis },
  { kind: 'platform', storage: 'Redis', platform: 'fence', unavailable: noRedis },
]
const changes = shops.flatMap((row) => [
  { ...row, change: 'add beans' as const },
  ...(row.kind === 'platform' ? [] : [{ ...row, change: 'gift' as const }]),
  ...(row.kind === 'store-sql' ? [{ ...row, change: 'send now' as const }] : []),
])

describe.skipIf(missing)(`shop that is killed at a system call${missing === undefined ? '' : `: ${missing}`}`, () => {
  for (const { unavailable, ...row } of changes) {
    it.skipIf(unavailable)(`applies a click once: ${Object.values(row).join(', ')}`, { timeout }, async () => {
      const { points, kills, wrong } = await sweep(row, row.change, maxPoints)
      console.log(`${points} points, ${kills} kills, ${wrong.length} wrong`)
      expect(wrong).toEqual([])
      expect(kills).toBe(Math.min(points, maxPoints))
      expect(points).toBeGreaterThan(3)
    })
  }
})
