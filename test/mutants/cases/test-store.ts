import { listMutants } from '../list-mutants.ts'
import { withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

export const mutants = listMutants({
  request: {
    'an undo ignores the test-mode header': ignoreAt('/undo-add-product'),
    'an order ignores the test-mode header': ignoreAt('/send-now'),
    'a reactivation ignores the test-mode header': ignoreAt('/reactivate/subscription'),
  },
})

function ignoreAt(end: string): NonNullable<Mutant['request']> {
  return (sent) => (sent.path.endsWith(end) ? withHeader(sent, 'X-Integration-Test-Mode') : sent)
}
