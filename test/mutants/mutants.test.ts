import { checks } from '@storeport/conformance'
import { endpoints } from '@storeport/core'
import { afterAll, describe, expect, it } from 'vitest'
import { mutants } from './index.ts'
import type { Mutant } from './mutant.ts'
import { runChecksOn } from './try-on.ts'

/** Date in every shop. `any-day.slow.test.ts` tests other dates. */
const today = '2026-03-10'
const all: readonly Mutant[] = Object.values(mutants).flat()
let caught = 0

describe.each(Object.entries(mutants).filter(([, table]) => table.length > 0))('mutants of %s', (_name, table) => {
  it.each(table)('$defect: $caughtBy', async (mutant) => {
    const [result] = await runChecksOn(today, mutant, [mutant.caughtBy])
    expect(result?.outcome, result?.reason).toBe('failed')
    // A check that throws an exception has found the defect only by accident.
    expect(result?.failure?.expected).not.toBe('the check to complete')
    caught += 1
  })
})

it('lists the mutants in mutants.txt, with distinct defects and existing checks', async () => {
  const written = all.map(({ caughtBy, defect }) => `${caughtBy}: ${defect}`).toSorted()
  await expect(`${written.join('\n')}\n`).toMatchFileSnapshot('mutants.txt')
  expect(new Set(all.map(({ defect }) => defect)).size).toBe(all.length)
  const ids = checks.map(({ id }) => id)
  expect(all.filter(({ caughtBy }) => !ids.includes(caughtBy))).toEqual([])
})

/** Topics whose defects a mount can cause. Excludes `inputs` and `privacy`, which also contain defects of stores. */
const topicsOfMounts = [
  'answers',
  'authentication',
  'bodies',
  'emails',
  'errors',
  'fields',
  'headers',
  'http',
  'routing',
]

it.each(topicsOfMounts)('catches the mutants of %s with checks of the wire layer', (name) => {
  const wire = new Set(checks.filter(({ layer }) => layer === 'wire').map(({ id }) => id))
  expect(mutants[name]?.filter(({ caughtBy }) => !wire.has(caughtBy))).toEqual([])
})

it.each(Object.keys(endpoints))('catches the mutants of %s with its own checks', (name) => {
  expect(mutants[name]?.filter(({ caughtBy }) => !caughtBy.startsWith(`${name}.`))).toEqual([])
})

afterAll(() => {
  console.log(`${caught} of ${all.length} mutants caught, ${checks.length} checks`)
})
