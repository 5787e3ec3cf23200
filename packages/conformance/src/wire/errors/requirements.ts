import { must, should } from '../../engine/requirement.ts'

/** What refusals say, and what they keep to themselves. */
export const requirements = {
  'ERROR-1': must(
    'Every error body is `{"success": false, "error": {"code", "message"}}` with two texts that are not empty.',
    'error codes',
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
  'HTTP-1': should(
    'A request that the HTTP parser refuses is answered in the envelope too.',
    'error codes',
    'What the HTTP parser refuses never reaches the application.',
  ),
} as const
