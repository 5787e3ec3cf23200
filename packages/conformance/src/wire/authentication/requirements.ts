import { must, should } from '../../engine/requirement.ts'

/** Who may call. */
export const requirements = {
  'AUTH-1': must(
    'Every endpoint refuses a call that carries no API key header.',
    'authentication',
    'The endpoint is mounted outside the middleware that checks the key, or the check runs only when the header is there.',
  ),
  'AUTH-2': must(
    'A call that carries the given key in the API key header is served.',
    'authentication',
    'The server reads the key from another header, compares it with another key, or a proxy drops the header.',
  ),
  'AUTH-3': must(
    'Only the exact key is accepted: no other, shorter, longer or differently cased one.',
    'authentication',
    'The key is compared by its start, without regard to case, after trimming, or `if (key)` is all that is asked.',
  ),
  'AUTH-4': must(
    'A missing or invalid key is answered 401 with the error body.',
    'authentication',
    'The framework answers 403 or 400, or with its own error page in place of the error body.',
  ),
  'AUTH-5': must(
    'The key never appears in an answer.',
    'authentication',
    'The message repeats the header that was sent, or a debug page lists the headers.',
  ),
  'AUTH-6': should(
    'The name of the API key header may be written in any letter case.',
    'authentication',
    'Headers are looked up in a plain map by the name as it is written.',
  ),
  'AUTH-7': should(
    'The key is read from its header alone: not from the query, the body, a cookie or another header.',
    'authentication',
    'A general authentication library also takes a bearer token, a cookie or a query parameter.',
  ),
  'AUTH-8': should(
    'A key header that is sent twice is refused.',
    'authentication',
    'The framework hands over the first or the last of several header lines.',
  ),
  'AUTH-9': should(
    'The key is checked first, for every path below the base path: a stranger learns neither paths nor methods nor fields.',
    'authentication',
    'The router answers unknown paths and wrong methods before the key is looked at.',
  ),
  'AUTH-10': should(
    'A 401 carries `WWW-Authenticate: ApiKey`.',
    'authentication',
    'The 401 is written by hand, without the header that HTTP asks for.',
  ),
  'AUTH-11': should(
    'Missing, empty, wrong and repeated keys are answered alike.',
    'authentication',
    'Missing and wrong keys are told apart in the message or the code.',
  ),
  'AUTH-12': should(
    'Several keys are valid at once, so that a key can be rotated.',
    'authentication',
    'The server holds one key only, so that a key cannot be changed without a gap.',
  ),
} as const
