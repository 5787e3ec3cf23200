import { findFakeTime, startFakeClock } from '@storeport/testing/fake-clock'
import { noMariadb } from '@storeport/testing/start-mariadb'
import { noRedis } from '@storeport/testing/start-redis'
import { expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import type { ShopRow } from './open-shop.ts'
import { runConcurrently, runSoak, type Tally } from './run-soak.ts'
import { soakClasses, soakShops } from './soak-classes.ts'

/*
 * Two processes for each shop, whose customers click while processes, connections, databases and platforms fail. Each
 * customer repeats a click until an answer arrives. Every click that is answered with 200 must have one effect.
 */

const sizes = {
  ...(isNightly ? { rounds: 40, customersEach: 40 } : { rounds: 3, customersEach: 10 }),
  timeoutMs: 8000,
  windowMs: 600_000,
}
const timeout = 1_500_000

const isMissing = ({ storage }: ShopRow) =>
  (storage === 'Redis' && noRedis !== undefined) || (storage === 'MariaDB' && noMariadb !== undefined)
const nameOf = ({ kind, storage, platform }: ShopRow) => [kind, storage, platform].filter(Boolean).join(', ')
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

function textOf({ clicks, unknown, faults, lost, doubled }: Tally): string {
  const kinds = Object.entries(faults).map(([name, count]) => `${count} ${name}`)
  return `${clicks} clicks, ${lost.size} lost, ${doubled.size} doubled, ${unknown} unknown; ${kinds.join(', ')}`
}

it('loses and doubles no click', { timeout }, async () => {
  const tallies: Tally[] = []
  const rows = soakShops.filter((row) => !isMissing(row))
  await runConcurrently(rows.entries(), 4, async ([index, row]) => {
    const tally = await runSoak(row, { ...sizes, firstFault: 3 * index })
    console.log(`${nameOf(row)}: ${textOf(tally)}`)
    tallies.push(tally)
  })
  const clicks = sum(tallies.map((tally) => tally.clicks))
  const faults = sum(tallies.flatMap((tally) => Object.values(tally.faults)))
  console.log(`${clicks} clicks, ${faults} faults`)
  expect(tallies.flatMap(({ lost, doubled }) => [...lost.values(), ...doubled.values()])).toEqual([])
  // A customer of a plain platform stops after an unknown outcome, and a fault can miss the clicks.
  const expected = rows.length * sizes.rounds
  expect(clicks).toBeGreaterThan(0.9 * 4 * expected * sizes.customersEach)
  expect(faults).toBeGreaterThan(0.8 * expected)
})

it.runIf(isNightly)('loses no click, and doubles only clicks that the guide lists', { timeout }, async () => {
  const time = findFakeTime()
  const clock = 'library' in time ? await startFakeClock(time.library, new Date().toISOString()) : undefined
  const runs = soakClasses(clock).flatMap((each) => each.rows.map((row) => ({ ...each, row })))
  const wrong: string[] = []
  const run = async ({ name, row, plan, safe = [] }: (typeof runs)[number]) => {
    if (isMissing(row)) return
    const tally = await runSoak(row, plan)
    console.log(`${name}: ${nameOf(row)}: ${textOf(tally)}`)
    const unexpected = [...tally.lost.values(), ...(safe.includes(row) ? tally.doubled.values() : [])]
    wrong.push(...unexpected.map((each) => `${name}: ${nameOf(row)}: ${each}`))
  }
  const isClocked = ({ plan }: (typeof runs)[number]) => plan.clock !== undefined
  await runConcurrently(
    runs.filter((each) => !isClocked(each)),
    4,
    run,
  )
  // Shops that share a clock run one at a time.
  await runConcurrently(runs.filter(isClocked), 1, run)
  await clock?.end()
  expect(wrong).toEqual([])
})
