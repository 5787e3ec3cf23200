import { setImmediate } from 'node:timers/promises'
import { addDays, StoreError } from '@storeport/core'
import {
  addProduct,
  type CustomerAccount,
  delaySubscription,
  type Item,
  soonest,
  type Subscription,
  swapProduct,
  undoAddProduct,
  wireItemId,
} from '@storeport/rules'
import { freezeUse, linesOf } from './accounts.ts'
import { listMutants } from './list-mutants.ts'

/** Defects at limits, at special dates, and in data that a change does not name. */
export const mutants = listMutants({
  results: {
    sendNow: {
      'an order stores the tax rate as a percentage': (result, { account }) =>
        withSubscription(result, soonest(account.subscriptions), (one) => ({ ...one, tax_rate: one.tax_rate * 100 })),
      'an addition to an item can be undone after its order': (result, { account }) => ({
        ...result,
        adds: account.adds.filter(({ item_id }) =>
          linesOf(account).some(({ id, one_time }) => id === item_id && !one_time),
        ),
      }),
    },
    swapProduct: {
      'a swap moves a one-time item to the end': (result, { account, input }) => {
        const id = linesOf(account).find((item) => wireItemId(item) === input.current_item_id)?.id
        const rank = (item: Item) => (item.id === id && item.one_time ? 1 : 0)
        return withSubscription(result, soonest(result.subscriptions), (one) => ({
          ...one,
          items: one.items.toSorted((item, other) => rank(item) - rank(other)),
        }))
      },
    },
    undoAddProduct: {
      'an undo removes the shipping cost': (result, { account }) =>
        withSubscription(result, soonest(account.subscriptions), (one) => ({ ...one, shipping_minor: 0 })),
    },
    getSubscription: {
      'a date has the year of its week': (result) => ({
        ...result,
        next_billing_date: yearOfWeek(result.next_billing_date) + result.next_billing_date.slice(4),
      }),
    },
  },
  rules: {
    delaySubscription: {
      'a delay moves the earlier subscriptions of the customer': (account, input, shop) => {
        const result = delaySubscription(account, input, shop)
        const { new_date } = input
        return {
          ...result,
          subscriptions: result.subscriptions.map((one) =>
            one.status === 'active' && one.next_billing_date < new_date ? { ...one, next_billing_date: new_date } : one,
          ),
        }
      },
    },
    swapProduct: {
      'a swap to the same product uses its code': (account, input, shop) => {
        const result = swapProduct(account, input, shop)
        if (result !== account || input.discount_code === undefined) return result
        const product_id = input.new_product_id
        const added = addProduct(account, { ...input, product_id, quantity: 1, one_time: true }, shop)
        const discount_uses = added.discount_uses.map((use) => freezeUse(use, added))
        return { ...undoAddProduct(added, { email: input.email, product_id }, shop), discount_uses }
      },
    },
  },
  several: {
    'a rejected reactivation moves its subscription to the end of the list': {
      store: (store) => {
        const touched = new Set<string>()
        return {
          async reactivateSubscription(input, context) {
            await store.reactivateSubscription(input, context).catch((error: unknown) => {
              touched.add(input.subscription_id)
              throw error
            })
          },
          async listCancelledSubscriptions(input, context) {
            const { subscriptions } = await store.listCancelledSubscriptions(input, context)
            const rank = (id: string) => (touched.has(id) ? 1 : 0)
            return {
              subscriptions: subscriptions.toSorted(
                (one, other) => rank(one.subscription_id) - rank(other.subscription_id),
              ),
            }
          },
        }
      },
    },
    'the personal list omits prices before a discount after a swap': {
      store: (store) => {
        const swapped = new Set<string>()
        return {
          async swapProduct(input, context) {
            await store.swapProduct(input, context)
            swapped.add(input.email)
          },
          async listProducts(input, context) {
            const { products } = await store.listProducts(input, context)
            if (!swapped.has(input.email ?? '')) return { products }
            return { products: products.map(({ compare_at_price: _, ...product }) => product) }
          },
        }
      },
    },
  },
  methods: {
    undoAddProduct: {
      "an undo cancels another customer's order": (undo) => async (input, context) => {
        try {
          await undo(input, context)
        } catch (error) {
          if (!(error instanceof StoreError) || error.code !== 'product_not_in_order') throw error
          await undo({ ...input, email: 'test@example.com' }, context)
        }
      },
    },
    delaySubscription: {
      'concurrent delays apply to the last customer': (delay) => {
        let last = ''
        return async (input, context) => {
          last = input.email
          // The read of a database takes several turns of the event loop.
          for (let turn = 0; turn < 20; turn++) await setImmediate()
          await delay({ ...input, email: last }, context)
        }
      },
    },
  },
})

function withSubscription(
  account: CustomerAccount,
  changed: Subscription | undefined,
  change: (subscription: Subscription) => Subscription,
): CustomerAccount {
  const { subscriptions } = account
  return { ...account, subscriptions: subscriptions.map((one) => (one.id === changed?.id ? change(one) : one)) }
}

/** Returns the year of the ISO week, which is the year of its Thursday. */
function yearOfWeek(date: string): string {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
  return addDays(date, 4 - weekday).slice(0, 4)
}
