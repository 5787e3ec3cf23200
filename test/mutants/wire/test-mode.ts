import { header, failure, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

export const mutants = listMutants({
  request: {
    'the test-mode header is ignored': (sent) => withHeader(sent, 'X-Integration-Test-Mode'),
    'any value of the test-mode header turns it on': (sent) =>
      header(sent, 'X-Integration-Test-Mode') === 'false' ? failure(400, 'invalid_request') : sent,
    'reads in test mode come from the real store': (sent) =>
      sent.method === 'GET' ? withHeader(sent, 'X-Integration-Test-Mode') : sent,
  },
})
