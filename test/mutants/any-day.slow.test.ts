import type { CheckResult } from '@storeport/conformance'
import { addDays } from '@storeport/core'
import { expect, it } from 'vitest'
import { mutants } from './index.ts'
import type { Mutant } from './mutant.ts'
import { tryOn } from './try-on.ts'

/** Every day of a year with a leap day. */
const days = Array.from({ length: 366 }, (_, index) => addDays('2027-11-01', index))

/** The mutants of delays and of dates: the others do not look at the calendar. */
const ofDates = ['delaySubscription', 'profile', 'dates']
  .flatMap((topic) => mutants[topic] ?? [])
  .filter(({ caughtBy }) => caughtBy.startsWith('delaySubscription.'))

it.each(ofDates)('on any day: $defect', async (mutant) => {
  const notCaught = await daysOf(mutant, [mutant.caughtBy], ({ outcome }) => outcome !== 'failed')
  expect(notCaught).toEqual([])
})

it('a correct shop passes on any day', async () => {
  expect(await daysOf({}, ['delaySubscription'], ({ outcome }) => outcome === 'failed')).toEqual([])
})

/** The days on which a check of a shop ends as it must not, with what it found. */
async function daysOf(
  shop: Partial<Mutant>,
  only: readonly string[],
  isWrong: (result: CheckResult) => boolean,
): Promise<readonly string[]> {
  const found: string[] = []
  for (const today of days) {
    const wrong = (await tryOn(today, shop, only)).filter(isWrong)
    found.push(...wrong.map(({ check, outcome, failure }) => `${today}: ${check.id} ${failure?.message ?? outcome}`))
  }
  return found
}
