import { noMariadb } from '@storeport/testing/start-mariadb'
import { noRedis } from '@storeport/testing/start-redis'
import { describe, expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import type { Change } from './backends.ts'
import { noTracing, sweep } from './kill-sweep.ts'
import type { ShopRow } from './open-shop.ts'

/*
 * Kills a shop at each system call of one click that writes to a storage or a socket, starts it again, repeats the click
 * and counts the effects. `gift` calls a platform and changes own rows (rule 22).
 */

const maxPoints = isNightly ? Infinity : 4
const timeout = 900_000
const missing = noTracing()

const shops: readonly (readonly [ShopRow, Change, string | undefined])[] = [
  [{ kind: 'store-sql', storage: 'SQLite' }, 'add beans', undefined],
  [{ kind: 'store-sql', storage: 'PostgreSQL' }, 'add beans', undefined],
  [{ kind: 'store-sql', storage: 'PostgreSQL' }, 'gift', undefined],
  [{ kind: 'own tables', storage: 'SQLite' }, 'add beans', undefined],
  [{ kind: 'own tables', storage: 'PostgreSQL' }, 'add beans', undefined],
  [{ kind: 'own tables', storage: 'PostgreSQL' }, 'gift', undefined],
  [{ kind: 'own tables', storage: 'MariaDB' }, 'add beans', noMariadb],
  [{ kind: 'own tables', storage: 'MariaDB' }, 'gift', noMariadb],
  [{ kind: 'platform', storage: 'Redis', platform: 'honours' }, 'add beans', noRedis],
  [{ kind: 'platform', storage: 'Redis', platform: 'fence' }, 'add beans', noRedis],
]

describe.skipIf(missing)(`shop that is killed at a system call${missing === undefined ? '' : `: ${missing}`}`, () => {
  for (const [row, change, unavailable] of shops) {
    const name = `${row.kind}, ${row.storage}${row.platform === undefined ? '' : `, ${row.platform}`}, ${change}`
    it.skipIf(unavailable)(`applies a click once: ${name}`, { timeout }, async () => {
      const { points, kills, wrong } = await sweep(row, change, maxPoints)
      console.log(`${name}: ${points} points, ${kills} kills, ${wrong.length} wrong`)
      expect(wrong).toEqual([])
      expect(kills).toBe(Math.min(points, maxPoints))
      expect(points).toBeGreaterThan(3)
    })
  }

  it.each([
    ['doubles', 'effect first', '2 effects'],
    ['loses', 'click first', '0 effects'],
  ] as const)('finds a shop that %s a click', { timeout }, async (_, kind, found) => {
    const { wrong } = await sweep({ kind, storage: 'SQLite' }, 'add beans')
    console.log(`${kind}: ${wrong.join(', ')}`)
    expect(wrong).not.toEqual([])
    for (const each of wrong) expect(each).toContain(found)
  })
})
