import { must, should } from '../../engine/requirement.ts'

/** How an email address is read. */
export const requirements = {
  'EMAIL-1': must(
    'A value that is no email address is refused.',
    'email addresses',
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
} as const
