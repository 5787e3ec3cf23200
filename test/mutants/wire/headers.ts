import { header, of, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  request: {
    'the request id of the caller is not kept': (sent) => withHeader(sent, 'X-Request-Id'),
  },
  answer: {
    'the content type has no charset': (answered) => withHeader(answered, 'Content-Type', 'application/json'),
    'answers to actions have another content type': of(200, (answered, sent) =>
      sent.method === 'POST' ? withHeader(answered, 'Content-Type', 'application/json') : answered,
    ),
    'answers may be cached': (answered) => withHeader(answered, 'Cache-Control', 'max-age=60'),
    'answers may be sniffed': (answered) => withHeader(answered, 'X-Content-Type-Options'),
    'errors have no request id': of(400, (answered) => withHeader(answered, 'X-Request-Id')),
    'all answers have the same request id': (answered) => withHeader(answered, 'X-Request-Id', 'request-1'),
    'any request id is echoed': (answered, sent) =>
      withHeader(answered, 'X-Request-Id', header(sent, 'X-Request-Id') ?? header(answered, 'X-Request-Id')),
    'any site may read the answers': (answered) => withHeader(answered, 'Access-Control-Allow-Origin', '*'),
  },
})
