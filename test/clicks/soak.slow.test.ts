import { expect, it } from 'vitest'
import { runSoak } from './run-soak.ts'
import type { ShopRow } from './open-shop.ts'

const shops: readonly ShopRow[] = [
  { kind: 'own tables', storage: 'PostgreSQL' },
  { kind: 'own tables', storage: 'MariaDB' },
  { kind: 'platform', storage: 'Redis', platform: 'honours' },
  { kind: 'platform', storage: 'Redis', platform: 'fence' },
  { kind: 'platform', storage: 'Redis', platform: 'plain' },
]
it.each(shops)('%j', async (row) => {
  const t = performance.now()
  const tally = await runSoak(row, { rounds: 4, customersEach: 20, seed: 1, timeoutMs: 8000, windowMs: 600_000 })
  console.log(row, tally, performance.now() - t)
  expect(tally.lost.size + tally.doubled.size).toBe(0)
})
