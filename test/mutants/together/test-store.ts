import { listMutantsOf } from '../list-mutants.ts'
import { withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

export const mutants = listMutantsOf('testMode', {
  request: {
    'changes-nothing-in-the-real-store: an undo ignores the test-mode header': ignoreAt('/undo-add-product'),
    'changes-nothing-in-the-real-store: an order ignores the test-mode header': ignoreAt('/send-now'),
    'changes-nothing-in-the-real-store: a reactivation ignores the test-mode header':
      ignoreAt('/reactivate/subscription'),
  },
})

function ignoreAt(end: string): NonNullable<Mutant['request']> {
  return (sent) => (sent.path.endsWith(end) ? withHeader(sent, 'X-Integration-Test-Mode') : sent)
}
