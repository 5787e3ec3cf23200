import { addDays } from '@storeport/core'
import { expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { checksOf, mutants, requirementOf, runChecksOn } from './find-mutant.ts'

/**
 * The first and last days of the months around a new year and a leap day, and one day of each week. The long test uses 12
 * months.
 */
const [firstDay, dayCount] = isNightly ? ['2027-11-01', 366] : ['2027-12-28', 67]
const days = Array.from({ length: dayCount }, (_, index) => addDays(firstDay, index)).filter(
  (day, index) => index % 7 === 0 || /-(?:01|02|28|29|30|31)$/.test(day),
)

/** Mutants with defects in delaying a subscription. Other mutants do not depend on the calendar. */
const dateMutants = mutants.filter(
  ({ file, defect }) =>
    /\/(?:subscriptions|fields)\.ts$/.test(file) && /^(?:DELAY|DATE)-/.test(requirementOf(defect) ?? ''),
)

it.each(dateMutants)('catches a mutant on each day: $defect', async ({ mutant, defect }) => {
  const missed: string[] = []
  for (const today of days) {
    const results = await runChecksOn(today, mutant, checksOf(requirementOf(defect)))
    if (results.every(({ outcome }) => outcome !== 'failed')) missed.push(today)
  }
  expect(missed).toEqual([])
})

it('passes a correct shop on each day', async () => {
  for (const today of days) {
    const results = await runChecksOn(today, {}, ['delaySubscription'])
    expect(results.flatMap(({ failure }) => failure?.message ?? [])).toEqual([])
  }
})
