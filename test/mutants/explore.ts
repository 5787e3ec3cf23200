import { type CurrentSubscription, StoreError } from '@storeport/core'
import { type CustomerAccount, sendNow, undoAddProduct } from '@storeport/rules'
import { freezeUse, linesOf, withSubscriptions } from './accounts.ts'
import { listMutants } from './list-mutants.ts'
import type { Mutant } from './mutant.ts'

/** Defects that are visible only after several changes of a customer. */
export const mutants = listMutants({
  results: {
    addProduct: {
      'only the last of several codes counts': (result) => {
        const last = result.discount_uses.at(-1)
        return { ...result, discount_uses: last === undefined ? [] : [last] }
      },
      'the percentage of a second addition includes the first addition': (result, { account }) => {
        const earlier = account.discount_uses.filter(({ kind }) => kind === 'percentage')
        const again = earlier.map((use) => ({ ...use, id: `${use.id} again` }))
        return { ...result, discount_uses: [...result.discount_uses, ...again] }
      },
      'a fixed code counts for each addition': (result, { account, input, shop }) => {
        const terms = shop.discount(input.discount_code ?? '')
        const amount = terms?.kind === 'fixed_amount' ? terms.amount_minor : 0
        return {
          ...result,
          discount_uses: result.discount_uses.map((use) => {
            const isUsedAgain = use.code === terms?.code && account.discount_uses.some(({ id }) => id === use.id)
            return use.kind === 'fixed_amount' && isUsedAgain
              ? { ...use, amount_minor: use.amount_minor + amount }
              : use
          }),
        }
      },
    },
    undoAddProduct: {
      'an undo releases every code': (result) => ({ ...result, discount_uses: [] }),
      'an undo releases the codes of swaps and reactivations': (result) => ({
        ...result,
        discount_uses: result.discount_uses.filter(({ id }) => isOfAddition(result, id)),
      }),
    },
    swapProduct: {
      'a swap allows another order on the same day': withoutLastOrder,
      'a swap ignores a fixed code': (result, { account }) => ({
        ...result,
        discount_uses: result.discount_uses.filter(
          (use) => use.kind === 'percentage' || account.discount_uses.some(({ id }) => id === use.id),
        ),
      }),
      'a swap with a code replaces the other codes of the order': (result, { input }) =>
        input.discount_code === undefined ? result : { ...result, discount_uses: result.discount_uses.slice(-1) },
    },
  },
  accounts: {
    undoAddProduct: {
      'an undo prefers lasting additions': (account, { input }) => ({
        ...account,
        adds: account.adds.toSorted((one, other) => rankOf(account, one, input) - rankOf(account, other, input)),
      }),
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
    undoAddProduct: {
      'an undo allows another order on the same day': (account, input, shop) =>
        withoutLastOrder(undoAddProduct(account, input, shop)),
    },
    sendNow: {
      'an interval of weeks is counted in months': (account, input, shop) =>
        sendNow(
          withSubscriptions(account, ({ interval, ...one }) => ({
            ...one,
            interval: { ...interval, unit: interval.unit === 'week' ? 'month' : interval.unit },
          })),
          input,
          shop,
        ),
    },
  },
  several: {
    'a repeated swap uses its code again': withRepeatedCode(),
  },
  methods: {
    reactivateSubscription: {
      'a reactivation accepts an invalid code after its first rejection': (reactivate) => {
        const rejected = new Set<string>()
        return async ({ discount_code: code = '', ...input }, context) => {
          const isUsed = code !== '' && !rejected.has(code)
          try {
            await reactivate(isUsed ? { ...input, discount_code: code } : input, context)
          } catch (error) {
            if (error instanceof StoreError && error.code === 'invalid_discount_code') rejected.add(code)
            throw error
          }
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
})

/** Subscriptions of the seed that are cancelled. */
const seededAsCancelled = ['sub_2001', 'sub_2002', 'sub_2003', 'sub_3002']

/** Returns whether an addition that can be undone has a use of a code. */
function isOfAddition({ adds }: CustomerAccount, id: string): boolean {
  return adds.some((add) => add.discount_use_id === id)
}

/** Uses the code of a swap before the repeat is recognized. The discount of the repeat remains. */
function withRepeatedCode(): Omit<Mutant, 'defect'> {
  let last: string | undefined
  let customer: string | undefined
  let amount = 0
  let more = 0
  const totalOf = (found: CurrentSubscription | null) => found?.order_discount_total ?? 0
  return {
    request(sent) {
      if (sent.method !== 'POST') return sent
      const { method, path, body } = sent
      const request = JSON.stringify([method, path, body])
      if (request === last) more += amount
      last = request
      amount = 0
      return sent
    },
    store: (store) => ({
      async swapProduct(input, context) {
        const read = async () => totalOf(await store.getSubscription({ email: input.email }, context))
        customer = input.email
        const before = await read()
        await store.swapProduct(input, context)
        if (input.discount_code !== undefined) amount = (await read()) - before
      },
      async getSubscription(input, context) {
        const found = await store.getSubscription(input, context)
        return found && { ...found, order_discount_total: totalOf(found) + (input.email === customer ? more : 0) }
      },
    }),
  }
}

function withoutLastOrder(account: CustomerAccount): CustomerAccount {
  return { ...account, last_sent_on: null, last_sent_at: null }
}

/** Returns 1 for a lasting addition of the product, otherwise 0. */
function rankOf(
  account: CustomerAccount,
  { item_id, product_id }: CustomerAccount['adds'][number],
  input: { readonly product_id: string },
): number {
  const isOneTime = linesOf(account).find(({ id }) => id === item_id)?.one_time === true
  return product_id === input.product_id && !isOneTime ? 1 : 0
}
