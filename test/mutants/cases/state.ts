import { addDays } from '@storeport/rules'
import { failure, withHeader } from '../messages.ts'
import { listMutants } from '../list-mutants.ts'

/** Defects in operations that must not change any data. */
export const mutants = listMutants({
  methods: {
    listCancelledSubscriptions: {
      'a read renews the date':
        (listCancelledSubscriptions, { getSubscription, delaySubscription: delay }) =>
        async (input, context) => {
          const { email } = input
          const current = await getSubscription({ email }, context).catch(() => null)
          if (current !== null) await delay({ email, new_date: addDays(current.next_billing_date, 1) }, context)
          return listCancelledSubscriptions(input, context)
        },
    },
  },
  several: {
    'a call with a wrong method is carried out and then refused': {
      request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
      answer: (answered, sent) =>
        sent.method === 'PUT' ? withHeader(failure(405, 'method_not_allowed'), 'Allow', 'POST') : answered,
    },
  },
})
