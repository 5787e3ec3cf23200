import { header, failure, withHeader } from '../messages.ts'
import { listMutantsOf } from '../list-mutants.ts'

export const mutants = listMutantsOf('testMode', {
  request: {
    'never-reaches-the-real-store: the test-mode header is ignored': (sent) =>
      withHeader(sent, 'X-Integration-Test-Mode'),
    'can-be-disabled: any value of the test-mode header turns it on': (sent) =>
      header(sent, 'X-Integration-Test-Mode') === 'false' ? failure(400, 'invalid_request') : sent,
    'never-reaches-the-real-store: reads in test mode come from the real store': (sent) =>
      sent.method === 'GET' ? withHeader(sent, 'X-Integration-Test-Mode') : sent,
  },
})
