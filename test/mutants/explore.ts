import { StoreError } from '@storeport/core'
import { addDays, addProduct, sendNow, soonest, swapProduct, undoAddProduct } from '@storeport/rules'
import { doubleAmounts, freezeUse, withSubscriptions } from './accounts.ts'
import { listMutants } from './list-mutants.ts'

/** Defects that are visible only after several changes of a customer, at limits, or in data that a change does not name. */
export const mutants = listMutants({
  results: {
    addProduct: {
      'only the last of several codes counts': (result) => ({
        ...result,
        discount_uses: result.discount_uses.slice(-1),
      }),
      'a fixed code counts for each addition': (result, { account, input }) => {
        const isUsedAgain = account.discount_uses.some(({ code }) => code === input.discount_code)
        return isUsedAgain ? doubleAmounts(result) : result
      },
    },
    sendNow: {
      'an addition to an item can be undone after its order': (result, { account }) => ({
        ...result,
        adds: account.adds.filter(({ item_id }) =>
          account.subscriptions.some(({ items }) => items.some(({ id, one_time }) => id === item_id && !one_time)),
        ),
      }),
    },
    swapProduct: {
      'a swap allows another order on the same day': (result) => ({
        ...result,
        last_sent_on: null,
        last_sent_at: null,
      }),
      'a swap ignores a fixed code': (result, { account }) => ({
        ...result,
        discount_uses: result.discount_uses.filter(
          (use) => use.kind === 'percentage' || account.discount_uses.some(({ id }) => id === use.id),
        ),
      }),
      'a swap with a code replaces the other codes of the order': (result, { input }) =>
        input.discount_code === undefined ? result : { ...result, discount_uses: result.discount_uses.slice(-1) },
    },
    undoAddProduct: {
      'an undo releases every code': (result) => ({ ...result, discount_uses: [] }),
      'an undo removes the shipping cost': (result, { account }) => {
        const changed = soonest(account.subscriptions)?.id
        return withSubscriptions(result, (one) => (one.id === changed ? { ...one, shipping_minor: 0 } : one))
      },
    },
    getSubscription: {
      'a date has the year of its week': (result) => {
        const { next_billing_date: date } = result
        const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7
        // The year of an ISO week is the year of its Thursday.
        return { ...result, next_billing_date: addDays(date, 4 - weekday).slice(0, 4) + date.slice(4) }
      },
    },
  },
  accounts: {
    undoAddProduct: {
      'an undo takes back the largest addition': (account) => ({
        ...account,
        adds: account.adds.toSorted((one, other) => one.quantity - other.quantity),
      }),
    },
    getSubscription: {
      'percentages are rounded down': (account) => ({
        ...account,
        discount_uses: account.discount_uses.map((use) => freezeUse(use, account, Math.floor)),
      }),
      'a reactivated subscription does not become current': (account) => {
        const active = account.subscriptions.filter(({ status }) => status === 'active')
        const kept = active.filter(({ id }) => !seededAsCancelled.includes(id))
        return kept.length === 0 ? account : { ...account, subscriptions: kept }
      },
    },
  },
  rules: {
    sendNow: {
      'an interval of weeks is counted in months': (account, input, shop) => {
        const inMonths = withSubscriptions(account, (one) => ({ ...one, interval: { ...one.interval, unit: 'month' } }))
        return sendNow(inMonths, input, shop)
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
  methods: {
    reactivateSubscription: {
      'a reactivation accepts an invalid code after its first rejection': (reactivate) => {
        const rejected = new Set<string>()
        return async ({ discount_code: code = '', ...input }, context) => {
          const isUsed = code !== '' && !rejected.has(code)
          await reactivate(isUsed ? { ...input, discount_code: code } : input, context).catch((error: unknown) => {
            if (error instanceof StoreError && error.code === 'invalid_discount_code') rejected.add(code)
            throw error
          })
        }
      },
    },
    sendNow: {
      'the shop sends one order per day': (send) => {
        let sender: string | undefined
        return async (input, context) => {
          if (sender !== undefined && sender !== input.email) throw new StoreError('order_already_processing')
          await send(input, context)
          sender = input.email
        }
      },
    },
  },
  store: {
    'a rejected reactivation moves its subscription to the end of the list': ({
      reactivateSubscription,
      listCancelledSubscriptions,
    }) => {
      const touched = new Set<string>()
      return {
        reactivateSubscription: (input, context) =>
          reactivateSubscription(input, context).catch((error: unknown) => {
            touched.add(input.subscription_id)
            throw error
          }),
        listCancelledSubscriptions: async (input, context) => {
          const { subscriptions } = await listCancelledSubscriptions(input, context)
          const rank = ({ subscription_id: id }: (typeof subscriptions)[number]) => Number(touched.has(id))
          return { subscriptions: subscriptions.toSorted((one, other) => rank(one) - rank(other)) }
        },
      }
    },
    'the personal list omits prices before a discount after a swap': ({ swapProduct: swap, listProducts }) => {
      const swapped = new Set<string>()
      return {
        swapProduct: async (input, context) => {
          await swap(input, context)
          swapped.add(input.email)
        },
        listProducts: async (input, context) => {
          const { products } = await listProducts(input, context)
          if (!swapped.has(input.email ?? '')) return { products }
          return { products: products.map(({ compare_at_price: _, ...product }) => product) }
        },
      }
    },
  },
})

/** Subscriptions of the seed that are cancelled. */
const seededAsCancelled = ['sub_2001', 'sub_2002', 'sub_2003', 'sub_3002']
