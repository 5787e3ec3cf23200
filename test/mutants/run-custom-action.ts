import { StoreError } from '@storeport/core'
import { answer, at } from './messages.ts'
import { listMutantsOf } from './list-mutants.ts'

export const mutants = listMutantsOf('runCustomAction', {
  methods: {
    runCustomAction: {
      'rejects-an-unknown-action: actions are looked up in a plain object':
        (runCustomAction) => async (input, context) =>
          input.action_id in {} ? undefined : runCustomAction(input, context),
      'runs-a-known-action: a known action is not registered': () => () =>
        Promise.reject(new StoreError('action_not_found')),
    },
  },
  answer: {
    'rejects-an-unknown-action: any action is run': at('/custom-action', (answered) =>
      answered.body.includes('action_not_found') ? answer(200, { success: true }) : answered,
    ),
    'rejects-unknown-customers: an action is run for anybody': at('/custom-action', (answered) =>
      answered.body.includes('customer_not_found') ? answer(200, { success: true }) : answered,
    ),
  },
})
