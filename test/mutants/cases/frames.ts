import { addDays, type CustomerAccount } from '@storeport/rules'
import { withSubscriptions } from '../accounts.ts'
import { listMutants } from '../list-mutants.ts'
import { failure, isTo, withFields, withHeader } from '../messages.ts'

/** Defects in which an operation changes more than it names. */
export const mutants = listMutants({
  results: {
    addProduct: {
      'an addition reverses the sequence of the items': (result) =>
        withSubscriptions(result, (one) => ({ ...one, items: one.items.toReversed() })),
    },
    delaySubscription: {
      'a delay drops the discount of every order': (result) =>
        withSubscriptions(result, (one) => ({ ...one, order_discount_minor: 0 })),
    },
    sendNow: {
      'sending now drops the shipping cost of every subscription': (result) =>
        withSubscriptions(result, (one) => ({ ...one, shipping_minor: 0 })),
    },
    reactivateSubscription: {
      'a reactivation ends the other active subscription': (result, { input }) =>
        endOthers(result, input.subscription_id),
    },
  },
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
    sendNow: {
      'sending now bills every customer with a subscription later':
        (sendNow, { getSubscription, delaySubscription: delay }) =>
        async (input, context) => {
          await sendNow(input, context)
          for (const email of ['subscription@example.com', 'another@example.com']) {
            const other = email === input.email ? null : await getSubscription({ email }, context)
            if (other !== null) await delay({ email, new_date: addDays(other.next_billing_date, 1) }, context)
          }
        },
    },
    addProduct: {
      'an add beyond the limit is refused, and the line is filled up to it': (add) => async (input, context) => {
        if (input.quantity === 1000) await add({ ...input, quantity: 997 }, context).catch(() => {})
        await add(input, context)
      },
      'the code of an add is still set for the next one': (add) => {
        let code: string | undefined
        return async (input, context) => {
          const { discount_code = code } = input
          await add({ ...input, discount_code }, context)
          code = input.discount_code
        }
      },
    },
  },
  store: {
    'an action takes the last item of a subscription out': ({ runCustomAction, swapProduct, getSubscription }) => ({
      runCustomAction: async (input, context) => {
        await runCustomAction(input, context)
        const current = await getSubscription(input, context).catch(() => null)
        const last = current?.items.at(-1)
        if (last === undefined) return
        await swapProduct({ email: input.email, current_item_id: last.id, new_product_id: 'test_12345' }, context)
      },
    }),
  },
  several: {
    'a call with a wrong method is carried out and then refused': {
      request: (sent) => (sent.method === 'PUT' ? { ...sent, method: 'POST' } : sent),
      answer: (answered, sent) =>
        sent.method === 'PUT' ? withHeader(failure(405, 'method_not_allowed'), 'Allow', 'POST') : answered,
    },
  },
  answer: {
    'a swapped item keeps the images of the product before': (() => {
      let images: unknown
      return (answered, sent) => {
        if (!isTo(sent, 'getSubscription') || answered.status !== 200) return answered
        return withFields(answered, (fields) => {
          const { items }: { items: object[] } = Object.assign({ items: [] }, fields['data'])
          images ??= Object(items[0]).images
          const kept = items.map((item, place) => (place === 0 ? { ...item, images } : item))
          return { ...fields, data: { ...Object.assign({}, fields['data']), items: kept } }
        })
      }
    })(),
  },
})

/** Cancels all other active subscriptions of an account, too long ago to be listed. */
function endOthers(account: CustomerAccount, kept: string | undefined): CustomerAccount {
  return withSubscriptions(account, (one) =>
    one.status === 'active' && one.id !== kept
      ? { ...one, status: 'cancelled', next_billing_date: null, cancelled_on: '2020-01-01' }
      : one,
  )
}
