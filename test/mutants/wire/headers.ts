import { header, of, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** The headers of answers. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the content type has no charset',
    caughtBy: 'answers.have-one-content-type',
    answer: (answered) => withHeader(answered, 'Content-Type', 'application/json'),
  },
  {
    defect: 'answers to actions have another content type',
    caughtBy: 'answers.of-actions-have-the-headers-too',
    answer: of(200, (answered, sent) =>
      sent.method === 'POST' ? withHeader(answered, 'Content-Type', 'application/json') : answered,
    ),
  },
  {
    defect: 'answers may be cached',
    caughtBy: 'answers.are-not-stored',
    answer: (answered) => withHeader(answered, 'Cache-Control', 'max-age=60'),
  },
  {
    defect: 'answers may be sniffed',
    caughtBy: 'answers.are-not-sniffed',
    answer: (answered) => withHeader(answered, 'X-Content-Type-Options'),
  },
  {
    defect: 'errors have no request id',
    caughtBy: 'answers.have-a-request-id',
    answer: of(400, (answered) => withHeader(answered, 'X-Request-Id')),
  },
  {
    defect: 'all answers have the same request id',
    caughtBy: 'answers.have-a-request-id',
    answer: (answered) => withHeader(answered, 'X-Request-Id', 'request-1'),
  },
  {
    defect: 'the request id of the caller is not kept',
    caughtBy: 'answers.echo-the-request-id',
    request: (sent) => withHeader(sent, 'X-Request-Id'),
  },
  {
    defect: 'any request id is echoed',
    caughtBy: 'answers.replace-a-strange-request-id',
    answer: (answered, sent) =>
      withHeader(answered, 'X-Request-Id', header(sent, 'X-Request-Id') ?? header(answered, 'X-Request-Id')),
  },
  {
    defect: 'any site may read the answers',
    caughtBy: 'answers.have-no-cors-header',
    answer: (answered) => withHeader(answered, 'Access-Control-Allow-Origin', '*'),
  },
]
