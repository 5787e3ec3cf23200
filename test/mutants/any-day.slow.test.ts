import type { CheckResult } from '@storeport/conformance'
import { addDays } from '@storeport/core'
import { expect, it } from 'vitest'
import { isNightly } from '../hardening/is-nightly.ts'
import { mutants } from './index.ts'
import type { Mutant } from './mutant.ts'
import { runChecksOn } from './try-on.ts'

/**
 * The first and last days of the months around a new year and a leap day, and one day of each week. The long test uses 12
 * months.
 */
const [firstDay, dayCount] = isNightly ? ['2027-11-01', 366] : ['2027-12-28', 67]
const days = Array.from({ length: dayCount }, (_, index) => addDays(firstDay, index)).filter(
  (day, index) => index % 7 === 0 || /-(?:01|02|28|29|30|31)$/.test(day),
)

/** Mutants with defects in delaying a subscription. Other mutants do not depend on the calendar. */
const dateMutants = ['delaySubscription', 'profile', 'dates']
  .flatMap((topic) => mutants[topic] ?? [])
  .filter(({ caughtBy }) => caughtBy.startsWith('delaySubscription.'))

it.each(dateMutants)('catches a mutant on each day: $defect', async (mutant) => {
  const notCaught = await daysOf(mutant, [mutant.caughtBy], ({ outcome }) => outcome !== 'failed')
  expect(notCaught).toEqual([])
})

it('passes a correct shop on each day', async () => {
  expect(await daysOf({}, ['delaySubscription'], ({ outcome }) => outcome === 'failed')).toEqual([])
})

/** Returns the days with an unexpected result, and the message of each failure. */
async function daysOf(
  shop: Partial<Mutant>,
  only: readonly string[],
  isWrong: (result: CheckResult) => boolean,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const today of days) {
    const wrong = (await runChecksOn(today, shop, only)).filter(isWrong)
    found.push(...wrong.map(({ check, outcome, failure }) => `${today}: ${check.id} ${failure?.message ?? outcome}`))
  }
  return found
}
