import { StoreError } from '@storeport/core'
import { at, done } from './messages.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  methods: {
    runCustomAction: {
      'actions are looked up in a plain object': (runCustomAction) => async (input, context) =>
        input.action_id in {} ? undefined : runCustomAction(input, context),
      'a known action is not registered': () => () => Promise.reject(new StoreError('action_not_found')),
    },
  },
  answer: {
    'any action is run': at('/custom-action', (answered) =>
      answered.body.includes('action_not_found') ? done : answered,
    ),
    'an action is run for anybody': at('/custom-action', (answered) =>
      answered.body.includes('customer_not_found') ? done : answered,
    ),
  },
})
