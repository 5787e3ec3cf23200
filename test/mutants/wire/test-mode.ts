import { header, refusal, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** Calls in test mode. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the test-mode header is ignored',
    caughtBy: 'testMode.never-reaches-the-real-store',
    request: (sent) => withHeader(sent, 'X-Integration-Test-Mode'),
  },
  {
    defect: 'any value of the test-mode header turns it on',
    caughtBy: 'testMode.can-be-off',
    request: (sent) => (header(sent, 'X-Integration-Test-Mode') === 'false' ? refusal(400, 'invalid_request') : sent),
  },
  {
    defect: 'reads in test mode come from the real store',
    caughtBy: 'testMode.never-reaches-the-real-store',
    request: (sent) => (sent.method === 'GET' ? withHeader(sent, 'X-Integration-Test-Mode') : sent),
  },
]
