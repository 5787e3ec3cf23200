import { header, isTo, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

const testMode = 'X-Integration-Test-Mode'

/** Defects in the handling of the test mode. */
export const mutants = listMutants({
  refuses: {
    'any value of the test-mode header turns it on': (sent) => header(sent, testMode) === 'false',
  },
  request: {
    'the test-mode header is ignored': (sent) => withHeader(sent, testMode),
    'reads in test mode come from the real store': (sent) =>
      sent.method === 'GET' ? withHeader(sent, testMode) : sent,
    'an undo ignores the test-mode header': (sent) =>
      isTo(sent, 'undoAddProduct') ? withHeader(sent, testMode) : sent,
  },
})
