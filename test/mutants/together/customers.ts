import { StoreError } from '@storeport/core'
import { addDays, type CustomerAccount, swapProduct, wireItemId } from '@storeport/rules'
import { nextOf } from '../accounts.ts'
import { answer, fieldsOf, refusal, type Sent } from '../messages.ts'
import type { Mutant } from '../mutant.ts'
import type { Accounts } from '../shop-of-rules.ts'

/** Customers next to each other. */
export const mutants: readonly Mutant[] = [
  {
    defect: 'the last subscription that was read is shown to everybody',
    caughtBy: 'customers.see-their-own-data',
    store: ({ getSubscription }) => {
      let last: ReturnType<typeof getSubscription> | undefined
      return { getSubscription: (input, context) => (last ??= getSubscription(input, context)) }
    },
  },
  {
    defect: 'a customer without a subscription is shown the one that was read last',
    caughtBy: 'customers.see-their-own-data',
    store: ({ getSubscription }) => {
      let last: Awaited<ReturnType<typeof getSubscription>> | undefined
      return {
        getSubscription: async (input, context) => {
          const own = getSubscription(input, context)
          last = last === undefined ? await own : await own.catch(() => last ?? null)
          return last
        },
      }
    },
  },
  {
    defect: 'the cancelled subscriptions of a customer are shown to the next customer who asks',
    caughtBy: 'customers.see-their-own-data',
    store: ({ listCancelledSubscriptions: list }) => {
      let last: Awaited<ReturnType<typeof list>> = { subscriptions: [] }
      return {
        listCancelledSubscriptions: async (input, context) => {
          const own = await list(input, context)
          if (own.subscriptions.length > 0) last = own
          return last
        },
      }
    },
  },
  {
    defect: 'customers are looked up with LIKE',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => {
      const pattern = new RegExp(`^${email.replaceAll('.', '\\.').replaceAll('%', '.*').replaceAll('+', '\\+')}$`, 'i')
      return [...accounts].find(([key]) => pattern.test(key))?.[1]
    },
  },
  {
    defect: 'customers are looked up by the start of their address',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => [...accounts].find(([key]) => email.toLowerCase().startsWith(key))?.[1],
  },
  {
    defect: 'what follows a plus is cut off the address',
    caughtBy: 'customers.are-found-by-the-whole-address',
    find: (email, accounts) => accounts.get(email.toLowerCase().replace(/\+[^@]*/, '')),
  },
  {
    defect: 'customers are looked up in a plain object',
    caughtBy: 'customers.are-found-by-the-whole-address',
    request: (sent) => (sent.query.startsWith('email=__proto__') ? answer(200, { success: true, data: {} }) : sent),
  },
  {
    defect: 'a cancelled subscription of somebody else is refused in other words',
    caughtBy: 'reactivateSubscription.tells-nothing-of-another-customer',
    request: (sent) => (isOthers(sent, 'subscription_id', 'sub_3002') ? refusal(404, 'subscription_not_found') : sent),
  },
  {
    defect: 'an active subscription of somebody else is refused as not cancelled',
    caughtBy: 'reactivateSubscription.tells-nothing-of-another-customer',
    request: (sent) =>
      isOthers(sent, 'subscription_id', 'sub_1001') ? refusal(400, 'subscription_not_cancelled') : sent,
  },
  {
    defect: 'an item of somebody else is refused as not allowed',
    caughtBy: 'swapProduct.tells-nothing-of-another-customer',
    request: (sent) => (isOthers(sent, 'current_item_id', 'test_54321') ? refusal(403, 'action_not_allowed') : sent),
  },
  {
    defect: 'an item of somebody else is refused in other words',
    caughtBy: 'swapProduct.tells-nothing-of-another-customer',
    request: (sent) => (isOthers(sent, 'current_item_id', 'test_54321') ? refusal(404, 'item_not_found') : sent),
  },
  {
    defect: 'an undo says that somebody else has added the product',
    caughtBy: 'undoAddProduct.tells-nothing-of-another-customer',
    store: ({ addProduct, undoAddProduct }) => {
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
  {
    defect: 'an item is found by its id alone, without its customer',
    caughtBy: 'swapProduct.reaches-no-item-of-another-customer',
    rules: {
      swapProduct: (account, input, shop) => {
        const isTheirs = nextOf(account)?.items.some((item) => wireItemId(item) === input.current_item_id)
        const isForeign = input.current_item_id === 'test_54321' && isTheirs === false
        return isForeign ? account : swapProduct(account, input, shop)
      },
    },
  },
  {
    defect: 'a swap changes every line of that id, of every customer',
    caughtBy: 'swapProduct.changes-no-line-of-another-customer',
    store: ({ swapProduct: swap }) => ({
      swapProduct: async (input, context) => {
        await swap(input, context)
        await swap({ ...input, email: 'another@example.com' }, context).catch(() => {})
      },
    }),
  },
  {
    defect: 'a subscription is found by its id alone, without its customer',
    caughtBy: 'reactivateSubscription.reaches-no-subscription-of-another-customer',
    find: (email, accounts) => withAllCancelled(email, accounts),
  },
  {
    defect: 'an add is found by its product alone, without its customer',
    caughtBy: 'undoAddProduct.takes-back-no-add-of-another-customer',
    store: ({ undoAddProduct }) => ({
      undoAddProduct: (input, context) =>
        undoAddProduct(input, context).catch(() => undoAddProduct({ ...input, email: 'another@example.com' }, context)),
    }),
  },
  {
    defect: 'what one customer adds is added for another one too',
    caughtBy: 'customers.change-nothing-of-each-other',
    store: ({ delaySubscription: delay, getSubscription }) => ({
      delaySubscription: async (input, context) => {
        await delay(input, context)
        const neighbour = { email: 'another@example.com' }
        const other = await getSubscription(neighbour, context)
        if (input.email !== neighbour.email && other !== null) {
          await delay({ ...neighbour, new_date: addDays(other.next_billing_date, 1) }, context)
        }
      },
    }),
  },
]

/** The customer, who also has the cancelled subscriptions of everybody else. */
function withAllCancelled(email: string, accounts: Accounts): CustomerAccount | undefined {
  const account = accounts.get(email.toLowerCase())
  const others = [...accounts.values()].filter((other) => other !== account && other.email === 'another@example.com')
  const foreign = others
    .flatMap(({ subscriptions }) => subscriptions)
    .filter(({ id, status }) => id === 'sub_3002' && status === 'cancelled')
  return account && { ...account, subscriptions: [...account.subscriptions, ...foreign] }
}

/** Whether a customer who has not this id names it. */
function isOthers(sent: Sent, field: string, id: string): boolean {
  const { email, [field]: named } = fieldsOf(sent)
  return named === id && ['subscription@example.com', 'cancelled@example.com'].some((other) => other === email)
}
