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
const found = new Map<string, number>()

it.each(all)('$defect', async ({ topic, mutant, defect }) => {
  const expected = requirements.get(defect)
  // Random sequences, or a comparison of the whole customer, find what no check of the requirement finds. A check can use
  // up the data of the next one.
  const alone = checksOf(expected).map((id) => [id])
  for (const ids of [checksOf(expected), ['explore.follows-the-model'], [topic], ...alone, checksOf()]) {
    const results = await runChecksOn(today, mutant, ids)
    const failures = results.flatMap(({ check, failure }) => (failure ? [{ ...failure, id: check.id }] : []))
    const failure = failures.find(({ requirement }) => requirement === expected)
    if (failure === undefined) continue
    // A check that throws an exception has found the defect only by accident.
    expect(failure.expected).not.toBe('the check to complete')
    const [mechanism = ''] = failure.id.split('.')
    found.set(mechanism, (found.get(mechanism) ?? 0) + 1)
    return
  }
  expect.fail(`not found by ${expected ?? 'a requirement in mutants.txt'}`)
})

it('lists each mutant in mutants.txt with its requirement', () => {
  expect([...requirements.keys()].toSorted()).toEqual(all.map(({ defect }) => defect).toSorted())
})

afterAll(() => {
  const counts = [...found].map(([mechanism, count]) => `${mechanism} ${count}`)
  console.log(
    `${[...found.values()].reduce((sum, count) => sum + count, 0)} of ${all.length} mutants: ${counts.join(', ')}`,
  )
})
