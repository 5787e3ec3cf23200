import { must, should } from '../../engine/requirement.ts'

/** What the fields of a request may hold. */
export const fields = {
  'FIELD-1': must(
    'A call without a required field is refused.',
    'Endpoints, required fields',
    'The field is used without asking whether it is there.',
  ),
  'FIELD-2': must(
    'A field of another type than its own is refused.',
    'Endpoints, types of fields',
    'The field is used without looking at its type, or converted first.',
  ),
  'FIELD-3': should(
    'Types are never coerced: a number in quotes is 400 `invalid_request`.',
    'fields',
    'The validation library converts types unless it is told not to.',
  ),
  'FIELD-4': should(
    '`null` in an optional field counts as absent.',
    'fields',
    '`null` is validated as a value in place of being dropped.',
  ),
  'FIELD-5': should(
    'An id or code has 1 to 255 characters, none of them a control character.',
    'fields',
    'Only the presence of an id is looked at, or its form is narrower than that of your own ids.',
  ),
  'FIELD-6': must('`quantity` is at least 1.', 'Limits', 'The quantity is passed on without a lower limit.'),
  'FIELD-7': should(
    '`quantity` is a whole number.',
    'fields',
    'A fraction is rounded or passed on, or `2.0` is refused as no integer.',
  ),
  'FIELD-8': should(
    '`quantity` is at most 1,000 by default, for the call and for the line that results.',
    'fields',
    'There is no upper limit, or it is looked at for each call and not for the line that results.',
  ),
  'FIELD-9': should('A `quantity` that is left out is 1.', 'fields', 'A missing quantity is 0 or an error.'),
  'FIELD-10': should(
    'The next-cycle flag is `one_time`, a boolean, false when left out.',
    'fields',
    'The flag is read from another name, or its default is true.',
  ),
  'FIELD-11': should(
    'The discount code field is `discount_code`, in addProduct, swapProduct and reactivateSubscription.',
    'fields',
    'The code is read from another name, or not at all in one of the three calls.',
  ),
  'EMAIL-1': must(
    'A value that is no email address is refused.',
    'Endpoints, `string (email)`',
    'The address is not validated, only looked up.',
  ),
  'EMAIL-2': should(
    "An address that HTML's `input type=email` accepts is accepted.",
    'email addresses',
    'A home-made expression is narrower than it should be: it knows no `+`, no apostrophe, no long domains.',
  ),
  'EMAIL-3': should(
    'Quoted local parts, address literals, non-ASCII and anything else that HTML refuses is 400 `invalid_request`.',
    'email addresses',
    'A home-made expression is wider than it should be, such as "something with an @".',
  ),
  'EMAIL-4': should(
    'An address has at most 254 characters.',
    'email addresses',
    'The length is not limited, or limited by a shorter column of the database.',
  ),
  'EMAIL-5': should('Space around an address is ignored.', 'email addresses', 'The address is looked up as it came.'),
  'EMAIL-6': should(
    'The letter case of an address does not matter.',
    'email addresses',
    'The address is compared letter by letter.',
  ),
  'EMAIL-7': should(
    'A literal `+` in the query stays a plus.',
    'email addresses',
    'The query is decoded as a form, where a plus is a space.',
  ),
  'DATE-1': must(
    'A date that is not of the form `YYYY-MM-DD` is refused.',
    'Endpoint 6',
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
    'Endpoint 6',
    'The date became an instant at midnight, and was written in another time zone.',
  ),
  'MONEY-1': should(
    'An amount is a JSON number in major units with at most 2 decimals.',
    'money',
    'Amounts are computed with floating-point numbers, or sent in minor units or as text.',
  ),
  'MONEY-2': should('The price of an item is the price of one unit.', 'money', 'The price of the whole line is sent.'),
} as const
