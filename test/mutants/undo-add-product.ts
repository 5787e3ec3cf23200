import { StoreError } from '@storeport/core'
import { type CustomerAccount, type Shop, undoAddProduct, soonest } from '@storeport/rules'
import { quantityOf, withItems } from './accounts.ts'
import { listMutants } from './list-mutants.ts'

export const mutants = listMutants({
  rules: {
    undoAddProduct: {
      'an undo is answered, and nothing is done': (account) => account,
      'nothing to undo is a success': (account, input, shop) => undoAll(account, input.product_id, shop),
    },
  },
  inputs: {
    undoAddProduct: {
      'an undo takes back the last add, whatever the product': (input, { account }) => {
        const { product_id } = account.adds.at(-1) ?? input
        return { ...input, product_id }
      },
    },
  },
  accounts: {
    undoAddProduct: {
      'an undo takes back the first add': (account) => ({ ...account, adds: account.adds.toReversed() }),
      'an undo searches the current subscription alone': (account) => {
        const [current] = account.subscriptions.toSorted((one, other) =>
          (one.next_billing_date ?? '') < (other.next_billing_date ?? '') ? -1 : 1,
        )
        const adds = account.adds.filter((add) => add.order_id !== null || add.subscription_id === current?.id)
        return { ...account, adds }
      },
    },
  },
  results: {
    addProduct: {
      'only the last five additions can be undone': (added) => ({ ...added, adds: added.adds.slice(-5) }),
    },
    undoAddProduct: {
      'an undo takes back every add of the product': (result, { input, shop }) =>
        undoAll(result, input.product_id, shop),
      'an undo takes the whole line, also what was there before': (result, { account }) => withoutLine(account, result),
    },
    swapProduct: {
      'a swapped-away add can still be taken back': (swapped, { account }) => {
        const adds = account.adds.map((add) => ({
          ...add,
          item_id: soonest(swapped.subscriptions)?.items[0]?.id ?? null,
        }))
        return { ...swapped, adds: swapped.adds.length < account.adds.length ? adds : swapped.adds }
      },
    },
  },
  methods: {
    undoAddProduct: {
      'refusals are remembered': (undo) => {
        const refused = new Set<string>()
        return async (input, context) => {
          const click = JSON.stringify(input)
          if (refused.has(click)) throw new StoreError('product_not_in_order')
          await undo(input, context).catch((error: unknown) => {
            refused.add(click)
            throw error
          })
        }
      },
    },
  },
})

/** Undoes all open adds of a product. */
function undoAll(account: CustomerAccount, product_id: string, shop: Shop): CustomerAccount {
  if (!account.adds.some((add) => add.product_id === product_id)) return account
  return undoAll(undoAddProduct(account, { email: account.email, product_id }, shop), product_id, shop)
}

/** Removes the items whose quantity changed. */
function withoutLine(before: CustomerAccount, after: CustomerAccount): CustomerAccount {
  return withItems(after, (item) => (quantityOf(before, item.id) === item.quantity ? [item] : []))
}
