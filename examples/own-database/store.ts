import { type CompleteStorePort, type Context, StoreError, storesClicks } from '@storeport/core'
import { createSqlLedger } from '@storeport/core/sql'
import { type AccountChange, bindRules, type BoundChange, type BoundRule, chargeClick, codeKey } from '@storeport/rules'
import type { ChargeOrder, NamedInput } from '@storeport/rules'
import { createShop } from './account.ts'
import { actions } from './actions.ts'
import { charge } from './charge.ts'
import { type Db, db, run, transact } from './database.ts'
import { load, type Loaded } from './load.ts'
import { lock } from './rows.ts'
import { save } from './save.ts'
import { throwUnavailable } from './unavailable.ts'

/*
 * The eleven operations. This file does not depend on the tables.
 */

/** Stores the clicks of all processes in the table `storeport_clicks`. */
export const clicks = createSqlLedger({ dialect: 'postgres', run })

const rules = bindRules()

/** Creates the shop that a rule receives: the date, the products, the discount code and a generator of ids. */
function shopOf({ at, products, discount }: Loaded) {
  return createShop({
    at,
    product: (id) => products.find((product) => product.id === id),
    offered: () => products.filter(({ available }) => available !== 0),
    discount: (code) => (discount !== undefined && codeKey(discount.code) === codeKey(code) ? discount : undefined),
    newId: () => crypto.randomUUID(),
  })
}

/** Locks and loads a customer, applies a change and saves it. */
export async function applyChange(tx: Db, named: NamedInput, apply: AccountChange) {
  await lock(tx, named)
  const loaded = await load(tx, named)
  const { account: before, customer_id } = loaded
  const after = apply(before, shopOf(loaded))
  if (before !== undefined && customer_id !== undefined) await save(tx, customer_id, before, after)
  return { before, after }
}

/** Runs the work in the transaction that also stores the click. */
const once = (context: Context, work: (tx: Db) => Promise<unknown>) =>
  transact((tx, runInTransaction) => clicks.once(runInTransaction, context, () => work(tx)))

const read =
  <Input, Output>(rule: BoundRule<Input, Output>) =>
  async (input: Input): Promise<Output> => {
    const loaded = await load(db, rule.named(input), rule.operation === 'listProducts').catch(throwUnavailable)
    return rule(loaded.account, input, shopOf(loaded))
  }

const change = <Input>(rule: BoundChange<Input>) =>
  storesClicks<Input>((input, context) =>
    once(context, (tx) => applyChange(tx, rule.named(input), (account, shop) => rule(account, input, shop))),
  )

/** Charges the order before it is saved. The click is claimed before the charge, so the method is not marked. */
const sendCharged =
  (chargeOrder: ChargeOrder): CompleteStorePort['sendNow'] =>
  (input, context) =>
    chargeClick(
      chargeOrder,
      context,
      (account, shop) => rules.sendNow(account, input, shop),
      (apply, step) =>
        step === 'complete'
          ? once(context, (tx) => applyChange(tx, input, apply))
          : transact((tx) => applyChange(tx, input, apply)),
    )

export const store: CompleteStorePort = {
  listProducts: read(rules.listProducts),
  addProduct: change(rules.addProduct),
  undoAddProduct: change(rules.undoAddProduct),
  getSubscription: read(rules.getSubscription),
  sendNow: charge === undefined ? change(rules.sendNow) : sendCharged(charge),
  // A repeated charge has the key of its order.
  honoursIdempotencyKey: charge !== undefined,
  delaySubscription: change(rules.delaySubscription),
  swapProduct: change(rules.swapProduct),
  listCancelledSubscriptions: read(rules.listCancelledSubscriptions),
  reactivateSubscription: change(rules.reactivateSubscription),
  getDiscount: read(rules.getDiscount),

  runCustomAction: storesClicks(({ email, action_id }, context) =>
    once(context, async (tx) => {
      const { customer_id } = await load(tx, { email })
      if (customer_id === undefined) throw new StoreError('customer_not_found')
      const action = actions.get(action_id)
      if (action === undefined) throw new StoreError('action_not_found')
      await action(tx, customer_id)
    }),
  ),
}
