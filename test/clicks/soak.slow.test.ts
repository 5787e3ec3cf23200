import { findFakeTime, startFakeClock } from '@storeport/testing/fake-clock'
import { noMariadb } from '@storeport/testing/start-mariadb'
import { noRedis } from '@storeport/testing/start-redis'
import { expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import type { ShopRow } from './open-shop.ts'
import { runConcurrently } from './run-concurrently.ts'
import { runSoak, type Tally } from './run-soak.ts'
import { soakClasses, soakShops } from './soak-classes.ts'

/*
 * Two processes for each shop, whose customers click while processes, connections, databases and platforms fail. Each
 * customer repeats a click until an answer arrives. Every click that is answered with 200 must have one effect.
 */

const seed = Number(process.env['STOREPORT_SEED'] ?? Date.now() % 1_000_000)
const sizes = isNightly ? { rounds: 22, customersEach: 40 } : { rounds: 3, customersEach: 10 }
const timeout = 1_500_000
const shopsAtOnce = 4

const isMissing = ({ storage }: ShopRow) =>
  (storage === 'Redis' && noRedis !== undefined) || (storage === 'MariaDB' && noMariadb !== undefined)
const nameOf = ({ kind, storage, platform }: ShopRow) => [kind, storage, platform].filter(Boolean).join(', ')
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

function textOf({ clicks, requests, unknown, faults, lost, doubled }: Tally): string {
  const kinds = Object.entries(faults).map(([name, count]) => `${count} ${name}`)
  return `${clicks} clicks, ${requests} requests, ${lost.size} lost, ${doubled.size} doubled, ${unknown} unknown; ${kinds.join(', ')}`
}

it(`loses and doubles no click; seed ${seed}`, { timeout }, async () => {
  const tallies: Tally[] = []
  const rows = soakShops.filter((row) => !isMissing(row))
  await runConcurrently(rows.entries(), shopsAtOnce, async ([index, row]) => {
    const limits = { timeoutMs: 8000, windowMs: 600_000 }
    const tally = await runSoak(row, { ...sizes, ...limits, seed: seed + index, firstFault: 3 * index })
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
  await runConcurrently(runs, shopsAtOnce, async ({ name, row, plan, doubles }) => {
    if (isMissing(row)) return
    const tally = await runSoak(row, { ...plan, seed })
    console.log(`${name}: ${nameOf(row)}: ${textOf(tally)}`)
    const unsafe = doubles.includes(row) ? tally.unmatched : tally.doubled.values()
    wrong.push(...[...tally.lost.values(), ...unsafe].map((each) => `${name}: ${nameOf(row)}: ${each}`))
  })
  await clock?.end()
  expect(wrong).toEqual([])
})
