import { header, of, withHeader } from '../messages.ts'
import { listMutantsOf } from '../list-mutants.ts'

export const mutants = listMutantsOf('responses', {
  request: {
    'echo-the-request-id: the request id of the caller is not kept': (sent) => withHeader(sent, 'X-Request-Id'),
  },
  answer: {
    'have-one-content-type: the content type has no charset': (answered) =>
      withHeader(answered, 'Content-Type', 'application/json'),
    'of-actions-have-the-standard-headers: answers to actions have another content type': of(200, (answered, sent) =>
      sent.method === 'POST' ? withHeader(answered, 'Content-Type', 'application/json') : answered,
    ),
    'are-not-stored: answers may be cached': (answered) => withHeader(answered, 'Cache-Control', 'max-age=60'),
    'are-not-sniffed: answers may be sniffed': (answered) => withHeader(answered, 'X-Content-Type-Options'),
    'have-a-request-id: errors have no request id': of(400, (answered) => withHeader(answered, 'X-Request-Id')),
    'have-a-request-id: all answers have the same request id': (answered) =>
      withHeader(answered, 'X-Request-Id', 'request-1'),
    'replace-an-invalid-request-id: any request id is echoed': (answered, sent) =>
      withHeader(answered, 'X-Request-Id', header(sent, 'X-Request-Id') ?? header(answered, 'X-Request-Id')),
    'have-no-cors-header: any site may read the answers': (answered) =>
      withHeader(answered, 'Access-Control-Allow-Origin', '*'),
  },
})
