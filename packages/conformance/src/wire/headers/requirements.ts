import { should } from '../../engine/requirement.ts'

/** The headers of every answer. */
export const requirements = {
  'HEADER-1': should(
    'Every answer has `Content-Type: application/json; charset=utf-8`.',
    'response headers',
    'The content type is left to the framework, which leaves out the charset.',
  ),
  'HEADER-2': should(
    'Every answer has `Cache-Control: no-store`.',
    'response headers',
    'Caching is left to the framework or the proxy.',
  ),
  'HEADER-3': should(
    'Every answer has `X-Content-Type-Options: nosniff`.',
    'response headers',
    'The header is not set.',
  ),
  'HEADER-4': should(
    'Every answer has an `X-Request-Id`, a new one for each call.',
    'response headers',
    'No request id is made, or one for the whole process.',
  ),
  'HEADER-5': should(
    'An `X-Request-Id` of 1–128 letters, digits, `.`, `_` or `-` is echoed.',
    'response headers',
    'The server always makes an id of its own.',
  ),
  'HEADER-6': should(
    'Any other `X-Request-Id` is replaced.',
    'response headers',
    'Whatever was sent is echoed, and so gets into the logs.',
  ),
  'HEADER-7': should(
    'No answer has a CORS header.',
    'response headers',
    'A CORS middleware is mounted for the whole server.',
  ),
} as const
