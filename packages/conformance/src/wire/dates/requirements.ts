import { must, should } from '../../engine/requirement.ts'

/** How a date is read. */
export const requirements = {
  'DATE-1': must(
    'A date that is not of the form `YYYY-MM-DD` is refused.',
    'dates',
    'The text goes to a lenient date parser, such as `new Date(…)`.',
  ),
  'DATE-2': should(
    'A text that is no date of the form `YYYY-MM-DD` is 400 `invalid_request`.',
    'dates',
    'The text goes to a lenient date parser, or the code is another.',
  ),
  'DATE-3': should(
    'A date that the calendar does not have is 400 `invalid_date`.',
    'dates',
    'The date parser rolls 30 February over into March.',
  ),
  'DATE-4': should(
    '29 February is a date in leap years.',
    'dates',
    'The days of a month come from a table without leap years.',
  ),
  'DATE-5': must(
    'A date comes back as the day that was sent, whatever the time zone.',
    'dates',
    'The date became an instant at midnight, and was written in another time zone.',
  ),
} as const
