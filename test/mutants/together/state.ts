import { addDays } from '@storeport/rules'
import { refusal, withHeader } from '../messages.ts'
import type { Mutant } from '../mutant.ts'

/** What must not change anything. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'a read renews the date',
    caughtBy: 'state.is-not-changed-by-reads',
    store: ({ listCancelledSubscriptions, getSubscription, delaySubscription: delay }) => ({
      listCancelledSubscriptions: async (input, context) => {
        const { email } = input
        const current = await getSubscription({ email }, context).catch(() => null)
        if (current !== null) await delay({ email, new_date: addDays(current.next_billing_date, 1) }, context)
        return listCancelledSubscriptions(input, context)
      },
    }),
  },
  {
    defect: 'a call with a wrong method is carried out and then refused',
    caughtBy: 'state.is-not-changed-by-refused-calls',
    request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
    answer: (answered, sent) =>
      sent.method === 'PUT' ? withHeader(refusal(405, 'method_not_allowed'), 'Allow', 'POST') : answered,
  },
]
