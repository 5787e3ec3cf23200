import { checks } from '@storeport/conformance'
import { expect, it } from 'vitest'
import { mutants } from './index.ts'
import { checksOf, lineOf, requirementOf } from './requirements.ts'
import { runChecksOn } from './try-on.ts'

/** Date in every shop. `any-day.slow.test.ts` tests other dates. */
const today = '2026-03-10'
const all = Object.entries(mutants).flatMap(([topic, table]) =>
  table.map((mutant) => ({ topic, mutant, defect: mutant.defect })),
)
/** The lines of `mutants.txt`, which each mutant that is found replaces. */
const lines = new Map(lineOf)

/** Topics whose defects a mount can cause. Excludes `inputs` and `privacy`, which also contain defects of stores. */
const ofMounts = /^(?:answers|authentication|bodies|emails|errors|fields|headers|http|routing)$/
const ofWire = new Set(checks.filter(({ layer }) => layer === 'wire').map(({ id }) => id))

it.each(all)('$defect', async ({ topic, mutant, defect }) => {
  const expected = requirementOf(defect)
  const own = checksOf(expected)
  // A check can use up the data of the next one. Random sequences, or a comparison of the whole customer, find what no
  // check of the requirement finds.
  for (const ids of [own, ...own.map((id) => [id]), ['explore.follows-the-model'], checksOf()]) {
    const results = await runChecksOn(today, mutant, ofMounts.test(topic) ? ids.filter((id) => ofWire.has(id)) : ids)
    const found = results.find(
      ({ failure }) => failure !== undefined && failure.requirement === (expected ?? failure.requirement),
    )
    if (found?.failure === undefined) continue
    // A check that throws an exception has found the defect only by accident.
    expect(found.failure.expected).not.toBe('the check to complete')
    const mechanism = found.check.id.startsWith('explore.') ? ' explorer' : ''
    lines.set(defect, `${found.failure.requirement}${mechanism}: ${defect}`)
    return
  }
  expect.fail(`not found by ${expected ?? 'any check'}`)
})

// A run is not worse than the file: each requirement and mechanism is as before. `npm run mutants -- -u` writes the file.
it('finds each mutant as mutants.txt says', async () => {
  const found = all.map(({ defect }) => lines.get(defect) ?? `none: ${defect}`).toSorted()
  await expect(`${found.join('\n')}\n`).toMatchFileSnapshot('mutants.txt')
})
