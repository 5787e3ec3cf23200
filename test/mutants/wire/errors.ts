import { of, page, refusal, replaceText } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** What errors say and what they keep to themselves. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'messages hold the stack',
    caughtBy: 'errors.hold-no-stack-trace',
    answer: of(400, replaceText(/"message":"/g, '"message":"Error at parse (/app/server.js:10:5) ')),
  },
  {
    defect: 'messages repeat the email address',
    caughtBy: 'errors.hold-no-email-address',
    answer: of(404, (answered, sent) => replaceText('with this email', decodeURIComponent(sent.query))(answered, sent)),
  },
  {
    defect: 'an unexpected input ends in an exception',
    caughtBy: 'errors.are-never-the-fault-of-the-server',
    answer: (answered, { query, body = '' }) => (/%00|\\u0000/.test(query + body) ? page(500) : answered),
  },
  {
    defect: 'an exception is answered as a fault of the server in the right form',
    caughtBy: 'errors.are-never-the-fault-of-the-server',
    answer: (answered, { body = '' }) => (body.includes('DROP TABLE') ? refusal(500, 'internal_error') : answered),
  },
]
