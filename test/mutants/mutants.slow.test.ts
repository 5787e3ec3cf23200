import { checks } from '@storeport/conformance'
import { afterAll, expect, it } from 'vitest'
import { mutants } from './index.ts'
import { checksOf, requirements } from './requirements.ts'
import { runChecksOn } from './try-on.ts'

/** Date in every shop. `any-day.slow.test.ts` tests other dates. */
const today = '2026-03-10'
const all = Object.entries(mutants).flatMap(([topic, table]) =>
  table.map((mutant) => ({ topic, mutant, defect: mutant.defect })),
)
/** Number of mutants by the mechanism that finds them. */
const counts = new Map<string, number>()

/** Topics whose defects a mount can cause. Excludes `inputs` and `privacy`, which also contain defects of stores. */
const ofMounts = /^(?:answers|authentication|bodies|emails|errors|fields|headers|http|routing)$/
const ofWire = new Set(checks.filter(({ layer }) => layer === 'wire').map(({ id }) => id))

it.each(all)('$defect', async ({ topic, mutant, defect }) => {
  const expected = requirements.get(defect)
  const own = checksOf(expected)
  // A check can use up the data of the next one. Random sequences, or a comparison of the whole customer, find what no
  // check of the requirement finds.
  for (const ids of [own, ...own.map((id) => [id]), ['explore.follows-the-model'], checksOf()]) {
    const results = await runChecksOn(today, mutant, ofMounts.test(topic) ? ids.filter((id) => ofWire.has(id)) : ids)
    const found = results.find(({ failure }) => failure?.requirement === expected)
    if (found === undefined) continue
    // A check that throws an exception has found the defect only by accident.
    expect(found.failure?.expected).not.toBe('the check to complete')
    const [mechanism = ''] = found.check.id.split('.')
    counts.set(mechanism, (counts.get(mechanism) ?? 0) + 1)
    return
  }
  expect.fail(`not found by ${expected ?? 'a requirement in mutants.txt'}`)
})

it('lists each mutant in mutants.txt with its requirement', () => {
  expect([...requirements.keys()].toSorted()).toEqual(all.map(({ defect }) => defect).toSorted())
})

afterAll(() => {
  const caught = [...counts.values()].reduce((sum, count) => sum + count, 0)
  console.log(`${caught} of ${all.length} mutants:`, Object.fromEntries(counts))
})
