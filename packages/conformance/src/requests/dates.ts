import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { to } from './cases.ts'

const { must, should } = about('dates')

export const requirements: Requirements = {
  'DATE-1': must('A request with a date that is not in the form `YYYY-MM-DD` is rejected.', 'The parser is lenient.'),
  'DATE-2': should(
    'A request with a date string that is not in the form `YYYY-MM-DD` returns 400 `invalid_request`.',
    'The string is passed to a lenient date parser, or the error code is different.',
  ),
  'DATE-3': should(
    'A request with a date that does not exist in the calendar returns 400 `invalid_date`, even if the customer does not exist.',
    'The date parser converts February 30 to a day in March.',
  ),
  'DATE-4': should('February 29 is a valid date in leap years.', 'The table of month lengths ignores leap years.'),
  'DATE-5': must(
    'The shop returns exactly the date in the request, in every time zone.',
    'The date is converted to midnight in one time zone and formatted in another.',
  ),
}

/** Strings that are not dates in the form `YYYY-MM-DD`. A lenient parser accepts some of them. */
const invalidDates = Object.values({
  otherForms: ['2030-1-5', '05/01/2030', '01-05-2030', '5.1.2030', '20300105', '2030/01/05', '2030-W01-5', '2030-005'],
  moreThanADay: ['2030-01-05T00:00:00Z', '2030-01-05T00:00:00.000+02:00', '2030-01-05 00:00'],
  signs: ['+002030-01-05', '-2030-01-05', ' 2030-01-05', '2030-01-05 ', '2030-01-05\n'],
  otherDigits: ['２０３０-０１-０５', '2030-01-0５'],
  words: ['January 5, 2030', 'Sat Jan 05 2030', 'next month', 'now', '+7 days', 'infinity', 'null'],
}).flat()

/** Dates that do not exist. */
const impossible = Object.values({
  inFebruary: ['2030-02-30', '2030-02-29', '2031-02-29', '2100-02-29'],
  inShortMonths: ['2030-04-31', '2030-06-31', '2030-09-31', '2030-11-31'],
  inNoMonth: ['2030-01-32', '2030-13-01', '2030-00-10', '2030-01-00', '2030-99-99'],
}).flat()

const common: Common = { mode: 'read-only', layer: 'wire', needs: ['delaySubscription'] }
const toDelay = to('delaySubscription')
const rowsOf = (dates: readonly string[]) => () => dates.map((new_date) => ({ fields: { new_date } }))
const leapDays = ['2096-02-29', '2400-02-29', '2097-02-28', '2096-01-31', '2096-04-30', '2096-12-31', '9999-12-31']

/** Checks of date formats. The checks use a customer who does not exist, so nothing is delayed. */
export const checks: readonly Check[] = define(common, requirements, {
  'delaySubscription.requires-a-date': toDelay(['DATE-1', 'DATE-2'], 'invalid_request', rowsOf(invalidDates)),
  'delaySubscription.rejects-nonexistent-dates': toDelay(['DATE-3', 'DATE-4'], 'invalid_date', rowsOf(impossible)),
  'delaySubscription.accepts-leap-days': toDelay(['DATE-4'], 'valid', rowsOf(leapDays)),
})
