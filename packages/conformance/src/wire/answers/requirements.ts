import { must, should } from '../../engine/requirement.ts'

/** What every answer looks like. */
export const answers = {
  'JSON-1': must(
    'A successful answer is a JSON object with `success: true` and, where data is returned, an object `data`.',
    'Envelope',
    'The data is returned bare, or the envelope has another name such as `ok` or `result`.',
  ),
  'JSON-2': must(
    'An action endpoint answers `{"success": true}` and nothing else.',
    'Envelope',
    'The action returns the changed object beside `success`.',
  ),
  'JSON-3': must(
    'Every answer, also an error, has a JSON body and a JSON content type.',
    'Endpoints',
    'An error of the framework or a proxy is a web page, or the body is sent without `application/json`.',
  ),
  'JSON-4': should(
    'An answer holds no field that the contract does not name.',
    'answers',
    'The whole row of the database is serialised.',
  ),
  'JSON-5': should(
    'Values stay within bounds: texts and ids are not empty, amounts are not negative, images are http(s) addresses without credentials, dates exist.',
    'answers',
    'Empty titles, relative image addresses, negative amounts or dates with a time come straight from the database.',
  ),
  'ERROR-1': must(
    'Every error body is `{"success": false, "error": {"code", "message"}}` with two texts that are not empty.',
    'Errors 1',
    "The framework's own error form is sent, or `error` is a plain text.",
  ),
  'ERROR-2': should(
    'A refusal has the code and the HTTP status of the table of error codes.',
    'error codes',
    'The shop has codes or statuses of its own: the caller shows a general message then.',
  ),
  'ERROR-3': should(
    'The message of an invalid request names the field.',
    'error codes',
    'The message says that something is wrong, and not which field.',
  ),
  'ERROR-4': should(
    'An error message holds no email address and no stack trace.',
    'privacy',
    'The exception, or the value that was sent, is put into the message.',
  ),
  'ERROR-5': should(
    'Nothing that a caller sends is answered with a status of 500 or more.',
    'error codes',
    'An input that nobody thought of ends in an exception.',
  ),
  'ERROR-6': should(
    'A refusal that the profile lists is answered with the code that the profile names.',
    'error codes',
    'The shop refuses the call for another reason than the profile says, or not at all.',
  ),
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
