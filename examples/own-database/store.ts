import { type CompleteStorePort, type Context, StoreError, storesClicks } from '@storeport/core'
import { createSqlLedger } from '@storeport/core/sql'
import { bindRules, codeKey, findNamed } from '@storeport/rules'
import { actions } from './actions.ts'
import { dialect, type Run, run, transact, type Transaction } from './database.ts'
import { createShop, load, type Loaded, lock } from './load.ts'
import { save } from './save.ts'

/*
 * Runs the eleven operations in your transactions. This file does not depend on the tables.
 */

/** Stores the clicks of all processes in the table `storeport_clicks`. */
export const clicks = createSqlLedger({ dialect, run })

/**
 * Creates the shop that a rule receives. It contains the date, the products, the discount code and a generator of ids.
 */
export function shopOf({ at, products, discount }: Loaded) {
  return createShop({
    at,
    product: (id) => products.find((product) => product.id === id),
    offered: () => products.filter(({ available }) => available !== 0),
    // The collation of a database can ignore accents, so the code is compared again.
    discount: (code) => (discount !== null && codeKey(discount.code) === codeKey(code) ? discount : undefined),
    newId: () => crypto.randomUUID(),
  })
}

/** Runs the work in the transaction that also stores the click. */
const once = (context: Context, work: (tx: Run, transaction: Transaction) => Promise<void>) =>
  transact((tx, transaction) => clicks.once(tx, context, () => work(tx, transaction)))

export const store: CompleteStorePort = {
  ...bindRules({
    read: async (name, input, _context, rule) => {
      const loaded = await load(run, findNamed(name, input), name === 'listProducts')
      return rule(loaded.account ?? undefined, input, shopOf(loaded))
    },

    storesClicks: true,
    change: (name, input, context, rule) =>
      once(context, async (tx) => {
        const named = findNamed(name, input)
        await lock(tx, named)
        const loaded = await load(tx, named)
        const { account, customer_id } = loaded
        const after = rule(account ?? undefined, input, shopOf(loaded))
        if (account !== null && customer_id !== null) await save(tx, customer_id, account, after)
      }),
  }),

  runCustomAction: storesClicks(async ({ email, action_id }, context) => {
    await once(context, async (tx, transaction) => {
      const { customer_id } = await load(tx, { email })
      if (customer_id === null) throw new StoreError('customer_not_found')
      const action = actions.get(action_id)
      if (action === undefined) throw new StoreError('action_not_found')
      await action(tx, customer_id, transaction)
    })
  }),
}
