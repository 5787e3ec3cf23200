import { StoreError } from '@storeport/core'
import { answer, at } from './messages.ts'
import type { Mutant } from './mutant.ts'

/** Running a custom action. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'any action is run',
    caughtBy: 'runCustomAction.refuses-an-unknown-action',
    answer: at('/custom-action', (answered) =>
      answered.body.includes('action_not_found') ? answer(200, { success: true }) : answered,
    ),
  },
  {
    defect: 'actions are looked up in a plain object',
    caughtBy: 'runCustomAction.refuses-an-unknown-action',
    store: ({ runCustomAction }) => ({
      runCustomAction: async (input, context) => (input.action_id in {} ? undefined : runCustomAction(input, context)),
    }),
  },
  {
    defect: 'a known action is not registered',
    caughtBy: 'runCustomAction.runs-a-known-action',
    store: () => ({ runCustomAction: () => Promise.reject(new StoreError('action_not_found')) }),
  },
  {
    defect: 'an action is run for anybody',
    caughtBy: 'runCustomAction.knows-its-customers',
    answer: at('/custom-action', (answered) =>
      answered.body.includes('customer_not_found') ? answer(200, { success: true }) : answered,
    ),
  },
]
