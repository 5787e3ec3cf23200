import { checks } from '@storeport/conformance'
import { expect, it } from 'vitest'
import { checksOf, lineOf, mutants, requirementOf, runChecksOn } from './find-mutant.ts'

/** Date in every shop. `any-day.slow.test.ts` tests other dates. */
const today = '2026-03-10'
/** The lines of `mutants.txt`, which each mutant that is found replaces. */
const lines = new Map(lineOf)

/** Files whose defects a mount can cause. Excludes `hostile` and `privacy`, which also contain defects of stores. */
const ofMounts = /^\.\/requests\/(?:answers|authentication|bodies|fields|routing)\.ts$/
const ofWire = new Set(checks.filter(({ layer }) => layer === 'wire').map(({ id }) => id))

// The names of `it.each` are cut, so `-t` does not find them.
for (const { file, mutant, defect } of mutants)
  it(defect, async () => {
    const expected = requirementOf(defect)
    const own = checksOf(expected)
    // A check can use up the data of the next one. Random sequences, or a comparison of the whole customer, find what no
    // check of the requirement finds.
    for (const ids of [own, ...own.map((id) => [id]), ['explore.follows-the-model'], checksOf()]) {
      const results = await runChecksOn(today, mutant, ofMounts.test(file) ? ids.filter((id) => ofWire.has(id)) : ids)
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
  expect(mutants.filter(({ defect }) => !lines.has(defect)).map(({ defect }) => defect)).toEqual([])
  const found = mutants.flatMap(({ defect }) => lines.get(defect) ?? []).toSorted()
  await expect(`${found.join('\n')}\n`).toMatchFileSnapshot('mutants.txt')
})
