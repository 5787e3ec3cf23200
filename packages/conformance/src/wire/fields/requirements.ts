import { must, should } from '../../engine/requirement.ts'

/** What the fields of a request may hold. */
export const requirements = {
  'FIELD-1': must(
    'A call without a required field is refused.',
    'fields',
    'The field is used without asking whether it is there.',
  ),
  'FIELD-2': must(
    'A field of another type than its own is refused.',
    'fields',
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
  'FIELD-6': must('`quantity` is at least 1.', 'fields', 'The quantity is passed on without a lower limit.'),
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
} as const
