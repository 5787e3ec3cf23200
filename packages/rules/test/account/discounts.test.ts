import {
  addProduct,
  type CustomerAccount,
  getDiscount,
  getSubscription,
  reactivateSubscription,
  sendNow,
  type Shop,
  swapProduct,
  undoAddProduct,
} from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, codeOf, customer, given, type Given, inTurn, swap, today, undo } from '../given.ts'

/*
 * The customer has an active subscription with one unit of test_12345 (19.95) and two units of test_67890 (29.95), and a
 * cancelled subscription with the same items. test_54321 costs 49.95.
 */

type Step = (account: CustomerAccount, shop: Shop) => CustomerAccount
const [beans, ethiopia, grinder] = ['test_12345', 'test_67890', 'test_54321'] as const

const adds =
  (product: string, discount_code?: string, quantity = 1): Step =>
  (account, shop) =>
    addProduct(account, add(product, { quantity, ...(discount_code !== undefined && { discount_code }) }), shop)
const undoes =
  (product: string): Step =>
  (account, shop) =>
    undoAddProduct(account, undo(product), shop)
const swaps =
  (...input: Parameters<typeof swap>): Step =>
  (account, shop) =>
    swapProduct(account, swap(...input), shop)
const reactivates =
  (discount_code: string, subscription_id = 'old'): Step =>
  (account, shop) =>
    reactivateSubscription(account, { ...customer, subscription_id, discount_code }, shop)
const sends: Step = (account, shop) => sendNow(account, customer, shop)
/** Sets the quantity of an item, as a merchant does. */
const sets =
  (product: string, quantity: number): Step =>
  (account) => ({
    ...account,
    subscriptions: account.subscriptions.map((one) => ({
      ...one,
      items: one.items.map((item) => (item.product_id === product ? { ...item, quantity } : item)),
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

function open(): Given {
  const itemsOf = (id: string) => [
    { id: `${id}_1`, product_id: beans },
    { id: `${id}_2`, product_id: ethiopia, quantity: 2 },
  ]
  return given({
    subscriptions: [
      { id: 'active', next_billing_date: '2026-04-01', items: itemsOf('active') },
      { id: 'old', cancelled_on: today, items: itemsOf('old') },
      { id: 'empty', cancelled_on: today },
    ],
  })
}

function after(steps: readonly Step[]): CustomerAccount {
  const { account, shop } = open()
  return inTurn(account, ...steps.map((step) => (before: CustomerAccount) => step(before, shop)))
}

const cases: readonly [string, readonly Step[], discount: number, uses?: number][] = [
  ['an added unit', [adds(beans, 'TEST10')], 2],
  ['units that join units without a code', [adds(beans), adds(beans, 'TEST10', 2)], 3.99],
  ['additions of two products, rounded once', [adds(beans, 'TEST10'), adds(grinder, 'TEST10')], 6.99],
  ['the new price of a swapped unit', [adds(beans, 'TEST10'), swaps(beans, grinder)], 5],
  ['no unit without a code', [adds(grinder), swaps(grinder, beans)], 0, 0],
  ['the swapped units of a joined item', [adds(grinder, 'TEST10'), swaps(grinder, ethiopia)], 3],
  ['all units of a swap with a code', [swaps(ethiopia, grinder, 'TEST10')], 9.99],
  ['no unit that is added later', [swaps(ethiopia, grinder, 'TEST10'), adds(grinder)], 9.99],
  ['an added and swapped unit once', [adds(grinder, 'TEST10'), swaps(grinder, beans, 'TEST10')], 2],
  ['a unit that is swapped twice', [swaps(beans, grinder, 'TEST10'), swaps(grinder, beans, 'TEST10')], 2],
  ['the other units of a swapped item', [adds(beans, 'TEST10'), swaps(beans, ethiopia, 'TEST10')], 5.99],
  ['a unit with another code', [adds(grinder, 'TEST10'), swaps(grinder, beans, 'TEST20')], 5.99, 2],
  ['the earlier of two additions after an undo', [adds(beans, 'TEST10'), adds(beans), undoes(beans)], 2],
  ['the other product after an undo', [adds(beans, 'TEST10'), adds(grinder, 'TEST10'), undoes(grinder)], 2],
  ['no unit after all undos', [adds(beans, 'TEST10'), adds(beans, 'TEST10'), undoes(beans), undoes(beans)], 0, 0],
  ['joined units after an undo', [adds(beans), swaps(ethiopia, beans, 'TEST10'), undoes(beans)], 3.99],
  ['at most the remaining units', [adds(beans, 'TEST10', 3), sets(beans, 2)], 3.99],
  ['no unit that replaces a removed unit', [adds(beans, 'TEST10', 3), sets(beans, 2), adds(beans)], 3.99],

  ['a fixed amount once', [adds(beans, 'FIVEOFF'), adds(grinder, 'FIVEOFF', 3)], 5],
  ['a fixed amount after a swap', [adds(beans, 'FIVEOFF'), swaps(beans, grinder, 'FIVEOFF')], 5],
  ['a fixed amount until the last undo', [adds(beans, 'FIVEOFF'), adds(grinder, 'FIVEOFF'), undoes(beans)], 5],
  ['no fixed amount after the last undo', [adds(beans, 'FIVEOFF'), undoes(beans)], 0, 0],
  ['at most the price of the goods', [adds(beans, 'HUGE'), adds(beans, 'TEST10')], 119.75, 2],

  ['all units of a reactivated subscription', [reactivates('TEST10')], 7.99],
  ['a reactivation and an addition', [reactivates('TEST10'), adds(beans, 'TEST10')], 9.98],
  ['a reactivation, and not a later addition', [reactivates('TEST10'), adds(beans)], 7.99],
  ['a reactivation and a swap', [reactivates('TEST10'), swaps(ethiopia, grinder, 'TEST10')], 11.99],
  ['a reactivation before a swap', [reactivates('TEST10'), swaps(ethiopia, grinder)], 11.99],
  ['a reactivation before a join', [reactivates('TEST10'), swaps(ethiopia, beans)], 5.99],
  ['an addition and a reactivation', [adds(beans, 'TEST10'), cancels, reactivates('TEST10', 'active')], 9.98],
  [
    'a reactivation after an undo of an earlier addition',
    [adds(beans, 'TEST10'), cancels, reactivates('TEST10', 'active'), undoes(beans)],
    7.99,
  ],
  ['a reactivated order after an undo', [reactivates('FIVEOFF'), adds(beans, 'FIVEOFF'), undoes(beans)], 5],
  ['a reactivated order after swaps', [reactivates('FIVEOFF'), swaps(beans, grinder), swaps(ethiopia, grinder)], 5],
  ['no empty subscription', [reactivates('FIVEOFF', 'empty')], 0, 0],
  ['one order only', [adds(beans, 'TEST10'), sends, adds(beans, 'TEST10', 2)], 3.99, 2],
  ['no other subscription', [adds(beans, 'TEST10'), reactivates('TEST10'), adds(beans, 'TEST10')], 9.98, 2],
]

it.each(cases)('applies a code to %s', (_, steps, discount, uses = 1) => {
  const { shop } = open()
  const account = after(steps)
  expect(getSubscription(account, customer, shop).order_discount_total).toBe(discount)
  expect(account.discount_uses).toHaveLength(uses)
})

it('lets an order that has a code use it again after the code is used up', () => {
  const { account, shop } = open()
  const usedUp: Shop = {
    ...shop,
    discount: (code) => {
      const terms = shop.discount(code)
      return terms && { ...terms, max_uses: 1, uses: 1 }
    },
  }
  const used = addProduct(account, add(beans, { discount_code: 'TEST10' }), shop)
  const again = inTurn(
    used,
    (before) => addProduct(before, add(grinder, { discount_code: 'test10' }), usedUp),
    (before) => swapProduct(before, swap(ethiopia, grinder, 'TEST10'), usedUp),
  )
  expect(again.discount_uses).toHaveLength(1)
  const others: readonly (() => unknown)[] = [
    () => addProduct({ ...again, subscriptions: [] }, add(beans, { discount_code: 'TEST10' }), usedUp),
    () => addProduct(again, add(beans, { discount_code: 'FIVEOFF' }), usedUp),
    () => reactivates('TEST10')(again, usedUp),
  ]
  expect(others.map(codeOf)).toEqual(Array.from(others, () => 'invalid_discount_code'))
  expect(codeOf(() => getDiscount(again, { discount_code: 'TEST10' }, usedUp))).toBe('discount_not_found')
})
