import { checks, runChecks } from '@storeport/conformance'
import { afterAll, describe, expect, it } from 'vitest'
import { answers } from './answers.ts'
import { authentication } from './authentication.ts'
import { comingBack } from './coming-back.ts'
import { delaying } from './delaying.ts'
import { fields } from './fields.ts'
import { keys, type Mutant, start } from './mutant.ts'
import { portal } from './portal.ts'
import { reading } from './reading.ts'
import { swapping } from './swapping.ts'
import { together } from './together.ts'
import { underLoad } from './under-load.ts'
import { upsells } from './upsells.ts'

const tables = {
  authentication,
  answers,
  reading,
  fields,
  upsells,
  portal,
  delaying,
  swapping,
  comingBack,
  together,
  underLoad,
}
const all: readonly Mutant[] = Object.values(tables).flat()
let caught = 0

describe.each(Object.entries(tables))('mutants of %s', (_name, mutants) => {
  it.each(mutants)('$defect: $caughtBy', async (mutant) => {
    const { caughtBy } = mutant
    const [first, second] = [keys.first, keys.second]
    const run = { send: start(mutant), apiKey: first, secondApiKey: second, mode: 'stress', only: [caughtBy] } as const
    const [result] = (await runChecks(run)).results
    expect(result?.outcome, result?.reason).toBe('failed')
    // A check that stumbles has found something by chance.
    expect(result?.failure?.expected).not.toBe('the check to run through')
    caught += 1
  })
})

it('there are at least 80, each with a defect of its own and a check that exists', () => {
  expect(all.length).toBeGreaterThanOrEqual(80)
  expect(new Set(all.map(({ defect }) => defect)).size).toBe(all.length)
  const ids = checks.map(({ id }) => id)
  expect(all.filter(({ caughtBy }) => !ids.includes(caughtBy))).toEqual([])
})

afterAll(() => {
  console.log(`${caught} of ${all.length} mutants caught`)
})
