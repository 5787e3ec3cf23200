import { StoreError } from '@storeport/core'
import { soonest, swapProduct, wireItemId } from '@storeport/rules'
import { listMutants } from '../list-mutants.ts'
import { answer, failure, fieldsOf, type Sent } from '../messages.ts'

/** Defects that let customers see or change data of other customers. */
export const mutants = listMutants({
  rules: {
    swapProduct: {
      'an item is found by its id alone, without its customer': (account, input, shop) => {
        const isTheirs = soonest(account.subscriptions)?.items.some(
          (item) => wireItemId(item) === input.current_item_id,
        )
        const isForeign = input.current_item_id === 'test_54321' && isTheirs === false
        return isForeign ? account : swapProduct(account, input, shop)
      },
    },
  },
  methods: {
    getSubscription: {
      'the last subscription that was read is shown to everybody': (getSubscription) => {
        let last: ReturnType<typeof getSubscription> | undefined
        return (input, context) => (last ??= getSubscription(input, context))
      },
    },
    listCancelledSubscriptions: {
      'the cancelled subscriptions of a customer are shown to the next customer who asks': (list) => {
        let last: Awaited<ReturnType<typeof list>> = { subscriptions: [] }
        return async (input, context) => {
          const own = await list(input, context)
          if (own.subscriptions.length > 0) last = own
          return last
        }
      },
    },
    swapProduct: {
      'a swap changes every line of that id, of every customer': (swap) => async (input, context) => {
        await swap(input, context)
        await swap({ ...input, email: 'another@example.com' }, context).catch(() => {})
      },
    },
    undoAddProduct: {
      'an add is found by its product alone, without its customer': (undoAddProduct) => (input, context) =>
        undoAddProduct(input, context).catch(() => undoAddProduct({ ...input, email: 'another@example.com' }, context)),
    },
  },
  store: {
    'an undo reveals that another customer has added the product': ({ addProduct, undoAddProduct }) => {
      const added = new Set<string>()
      return {
        addProduct: async (input, context) => {
          await addProduct(input, context)
          added.add(input.product_id)
        },
        undoAddProduct: (input, context) =>
          undoAddProduct(input, context).catch((error: unknown) => {
            throw added.has(input.product_id) ? new StoreError('product_not_in_order', 'It is another one.') : error
          }),
      }
    },
  },
  find: {
    'customers are looked up by the start of their address': (email, accounts) =>
      [...accounts].find(([key]) => email.toLowerCase().startsWith(key))?.[1],
    'what follows a plus is cut off the address': (email, accounts) =>
      accounts.get(email.toLowerCase().replace(/\+[^@]*/, '')),
  },
  request: {
    'customers are looked up in a plain object': (sent) =>
      sent.query.startsWith('email=__proto__') ? answer(200, { success: true, data: {} }) : sent,
    'a cancelled subscription of another customer is rejected with another message': (sent) =>
      isForeignId(sent, 'subscription_id', 'sub_3002') ? failure(404, 'subscription_not_found') : sent,
    'an active subscription of another customer is rejected as not cancelled': (sent) =>
      isForeignId(sent, 'subscription_id', 'sub_1001') ? failure(400, 'subscription_not_cancelled') : sent,
    'an item of another customer is rejected as not allowed': (sent) =>
      isForeignId(sent, 'current_item_id', 'test_54321') ? failure(403, 'action_not_allowed') : sent,
    'an item of another customer is rejected with another message': (sent) =>
      isForeignId(sent, 'current_item_id', 'test_54321') ? failure(404, 'item_not_found') : sent,
  },
})

/** Returns whether a request contains `id`, which belongs to a different customer. */
function isForeignId(sent: Sent, field: string, id: string): boolean {
  const { email, [field]: named } = fieldsOf(sent)
  return named === id && ['subscription@example.com', 'cancelled@example.com'].some((other) => other === email)
}
