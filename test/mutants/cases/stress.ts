import { type CustomerAccount, type Item, reactivateSubscription, sendNow } from '@storeport/rules'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { withSubscriptions } from '../accounts.ts'
import { listMutants } from '../list-mutants.ts'

/** Defects under concurrent load. */
export const mutants = listMutants({
  methods: {
    getSubscription: {
      'the customer of a call is kept in a variable that all calls share': (getSubscription) => {
        let email = ''
        return async (input, context) => {
          email = input.email
          await setTimeout(5)
          return getSubscription({ email }, context)
        }
      },
    },
  },
  store: {
    'of delays that no read comes between only the first counts': ({
      getSubscription: read,
      delaySubscription: delay,
    }) => {
      // Applies only the first delay after each read, because the number of overlapping delays varies.
      let isDelayed = false
      return {
        getSubscription: (input, context) => {
          isDelayed = false
          return read(input, context)
        },
        delaySubscription: async (input, context) => {
          if (isDelayed) return
          isDelayed = true
          await delay(input, context)
        },
      }
    },
  },
  several: {
    'a double click counts twice when it is fast enough': {
      options: { retries: false },
      store: ({ addProduct: add }) => {
        const done = new Set<string>()
        return {
          addProduct: async (input, context) => {
            const click = JSON.stringify(input)
            if (done.has(click)) return
            await setImmediate()
            done.add(click)
            await add(input, context)
          },
        }
      },
    },
    'sending now at the same time ships several orders': {
      options: { retries: false },
      rules: { sendNow: (account, input, shop) => sendNow({ ...account, last_sent_on: null }, input, shop) },
    },
    'reactivations at the same time each bring the items': {
      options: { retries: false },
      rules: {
        reactivateSubscription: (account, input, shop) => {
          const isActive = account.subscriptions.some(
            ({ id, status }) => id === input.subscription_id && status === 'active',
          )
          return isActive
            ? doubleQuantities(account, input.subscription_id)
            : reactivateSubscription(account, input, shop)
        },
      },
    },
    'a burst of calls is answered with 503': {
      options: { maxConcurrent: 20 },
      store: ({ listProducts }) => ({
        listProducts: async (input, context) => (await setImmediate(), listProducts(input, context)),
      }),
    },
  },
})

function doubleQuantities(account: CustomerAccount, id: string): CustomerAccount {
  const twice = (item: Item) => ({ ...item, quantity: 2 * item.quantity })
  return withSubscriptions(account, (one) => (one.id === id ? { ...one, items: one.items.map(twice) } : one))
}
