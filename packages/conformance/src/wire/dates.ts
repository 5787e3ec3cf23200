import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { callHarmless, expectThrough } from '../steps/inputs.ts'

const { must, should } = about('dates')

/** How a date is read. */
export const requirements: Requirements = {
  'DATE-1': must(
    'A date that is not of the form `YYYY-MM-DD` is refused.',
    'The text goes to a lenient date parser, such as `new Date(…)`.',
  ),
  'DATE-2': should(
    'A text that is no date of the form `YYYY-MM-DD` is 400 `invalid_request`.',
    'The text goes to a lenient date parser, or the code is another.',
  ),
  'DATE-3': should(
    'A date that the calendar does not have is 400 `invalid_date`.',
    'The date parser rolls 30 February over into March.',
  ),
  'DATE-4': should('29 February is a date in leap years.', 'The days of a month come from a table without leap years.'),
  'DATE-5': must(
    'A date comes back as the day that was sent, whatever the time zone.',
    'The date became an instant at midnight, and was written in another time zone.',
  ),
}

/** Strings that are not dates in the form `YYYY-MM-DD`. A lenient parser accepts some of them. */
const noDates = Object.values({
  otherForms: ['2030-1-5', '05/01/2030', '01-05-2030', '5.1.2030', '20300105', '2030/01/05', '2030-W01-5', '2030-005'],
  moreThanADay: ['2030-01-05T00:00:00Z', '2030-01-05T00:00:00.000+02:00', '2030-01-05 00:00'],
  signs: ['+002030-01-05', '-2030-01-05', ' 2030-01-05', '2030-01-05 ', '2030-01-05\n'],
  otherDigits: ['２０３０-０１-０５', '2030-01-0５'],
  words: ['January 5, 2030', 'Sat Jan 05 2030', 'next month', 'now', '+7 days', 'infinity', 'null'],
}).flat()

/** Days that the calendar does not have. */
const impossible = Object.values({
  inFebruary: ['2030-02-30', '2030-02-29', '2031-02-29', '2100-02-29'],
  inShortMonths: ['2030-04-31', '2030-06-31', '2030-09-31', '2030-11-31'],
  inNoMonth: ['2030-01-32', '2030-13-01', '2030-00-10', '2030-01-00', '2030-99-99'],
}).flat()

const common: Common = { mode: 'read-only', layer: 'wire', needs: ['delaySubscription'] }

/** How a date is read; the customer of these calls does not exist, so that none of them delays anything. */
export const checks: readonly Check[] = define(common, {
  'delaySubscription.wants-a-date': {
    title: 'A text that is not of the form `YYYY-MM-DD` is 400 `invalid_request`.',
    requirements: ['DATE-1', 'DATE-2'],
    async run(t) {
      for (const new_date of noDates) {
        t.refused(await callHarmless(t, 'delaySubscription', { new_date }), 'invalid_request')
      }
    },
  },
  'delaySubscription.knows-the-calendar': {
    title: 'A day that the calendar does not have is 400 `invalid_date`.',
    requirements: ['DATE-3', 'DATE-4'],
    async run(t) {
      for (const new_date of impossible) {
        t.refused(await callHarmless(t, 'delaySubscription', { new_date }), 'invalid_date')
      }
    },
  },
  'delaySubscription.knows-leap-years': {
    title: '29 February is a date in a leap year, as is every last day of a month.',
    requirements: ['DATE-4'],
    async run(t) {
      const days = ['2096-02-29', '2400-02-29', '2097-02-28', '2096-01-31', '2096-04-30', '2096-12-31', '9999-12-31']
      for (const new_date of days) {
        await expectThrough(t, await callHarmless(t, 'delaySubscription', { new_date }), 'delaySubscription')
      }
    },
  },
})
