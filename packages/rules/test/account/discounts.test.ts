import type { CustomerAccount, Shop } from '@storeport/rules'
import { addProduct, getSubscription, reactivateSubscription, undoAddProduct } from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, given, inTurn, today, undo } from '../given.ts'

/* Changes that the sequences of test/discounts.test.ts do not contain: a merchant reduces a quantity, or cancels. */

type Step = (account: CustomerAccount, shop: Shop) => CustomerAccount
const beans = 'test_12345'

const adds =
  (discount_code?: string, quantity = 1): Step =>
  (account, shop) =>
    addProduct(account, add(beans, { quantity, ...(discount_code !== undefined && { discount_code }) }), shop)
const undoes: Step = (account, shop) => undoAddProduct(account, undo(beans), shop)
const reactivates: Step = (account, shop) =>
  reactivateSubscription(account, { ...customer, subscription_id: 'active', discount_code: 'TEST10' }, shop)
/** Sets the quantity of the item, as a merchant does. */
const sets =
  (quantity: number): Step =>
  (account) => ({
    ...account,
    subscriptions: account.subscriptions.map((one) => ({
      ...one,
      items: one.items.map((item) => (item.product_id === beans ? { ...item, quantity } : item)),
    })),
  })
const cancels: Step = (account) => ({
  ...account,
  subscriptions: account.subscriptions.map((one) => ({
    ...one,
    status: 'cancelled',
    next_billing_date: null,
    cancelled_on: today,
  })),
})

/** Runs a step after the merchant has changed the letter case of the codes. */
const inLowerCase =
  (step: Step): Step =>
  (account, shop) => {
    const discount: Shop['discount'] = (code) => {
      const terms = shop.discount(code)
      return terms && { ...terms, code: terms.code.toLowerCase() }
    }
    return step(account, { ...shop, discount })
  }

const cases: readonly [string, readonly Step[], discount: number][] = [
  ['at most the remaining units', [adds('TEST10', 3), sets(2)], 3.99],
  ['no unit that replaces a removed unit', [adds('TEST10', 3), sets(2), adds()], 3.99],
  ['an addition and a reactivation', [adds('TEST10'), cancels, reactivates], 9.98],
  ['goods once, in another letter case', [adds('TEST10'), cancels, inLowerCase(reactivates)], 9.98],
  ['a reactivation after an undo', [adds('TEST10'), cancels, reactivates, undoes], 7.99],
]

it.each(cases)('applies a code to %s', (_, steps, discount) => {
  const items = [
    { id: 'active_1', product_id: beans },
    { id: 'active_2', product_id: 'test_67890', quantity: 2 },
  ]
  const { account, shop } = given({ subscriptions: [{ id: 'active', next_billing_date: '2026-04-01', items }] })
  const after = inTurn(account, ...steps.map((step) => (before: CustomerAccount) => step(before, shop)))
  expect(getSubscription(after, customer, shop).order_discount_total).toBe(discount)
  expect(after.discount_uses).toHaveLength(1)
})
