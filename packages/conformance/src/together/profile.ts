import { addDays, type Discount, minorUnitDigits } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { type Check, type Common, define } from '../engine/check.ts'
import { arrange } from '../steps/arrange.ts'
import { customerOf, loweredBy, readCancelled, readSubscription, shareOf, toMinor } from '../steps/customers.ts'
import { clickBetween, clickBetweenNeeds } from '../steps/delays.ts'

const common: Common = { mode: 'write', layer: 'shop', needs: ['runCustomAction'] }

/** Every action, code and kind of amount that the profile names, wherever it can be used. */
export const checks: readonly Check[] = define(common, {
  'runCustomAction.runs-for-every-customer': {
    title: 'A known action is run for every customer of the shop, with or without a subscription.',
    requirements: ['ACTION-3'],
    async run(t) {
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      const { empty, subscribed, cancelled, neighbour } = t.profile.customers
      const customers = [empty, subscribed, cancelled, neighbour].filter((email) => email !== undefined)
      if (customers.length === 0) t.skip('the profile names no customers')
      for (const email of customers) t.accepted(await t.call('runCustomAction', { email, action_id }))
    },
  },
  'reactivateSubscription.takes-a-fixed-amount-off': {
    title: 'A fixed code lowers the next order by its amount once, whatever the items.',
    requirements: ['REACTIVATE-8', 'FIELD-11'],
    needs: ['reactivateSubscription', 'listCancelledSubscriptions', 'getSubscription'],
    async run(t) {
      const email = customerOf(t, 'cancelled')
      const { code, amount } = fixedCode(t)
      const [first = t.spent('nothing is left to reactivate')] = await readCancelled(t, email)
      const { subscription_id, products } = first
      const worth = products.reduce((sum, { price, quantity }) => sum + price * quantity, 0)
      if (worth < amount) t.skip('the items cost less than the code takes off')
      t.accepted(await t.call('reactivateSubscription', { email, subscription_id, discount_code: code }))
      const current = await readSubscription(t, email)
      const linesOf = (lines: typeof products) => lines.map(({ title, quantity }) => `${quantity} ${title}`)
      const isOther = linesOf(current.items).join() !== linesOf(products).join()
      if (isOther) t.spent('another subscription of the customer is billed before')
      const lowered = loweredBy(t, undefined, current)
      t.equal(lowered, Math.round(toMinor(t, amount)), 'the discount in minor units')
    },
  },
  'addProduct.rounds-what-a-code-takes-off': {
    title: 'A share that is no whole number of minor units is rounded, and stays so in the sum.',
    requirements: ['MONEY-1', 'ADD-10'],
    needs: ['listProducts', 'addProduct', 'undoAddProduct', ...clickBetweenNeeds],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct()
      const quantities = [1, 3, 7, 9].filter((quantity) => isFraction(t, discount, product.price * quantity))
      if (quantities.length === 0) t.skip('every share of that product is a whole number of minor units')
      let made = 0
      for (const quantity of quantities) {
        await clickBetween(t, email)
        const input = { email, product_id: product.id, quantity, one_time: true, discount_code: code }
        t.accepted(await t.call('addProduct', input), 'ADD-10')
        made += 1
        const reply = await t.call('getSubscription', { email })
        const [, total = '0'] = /"order_discount_total":\s*([^,}\s]+)/.exec(reply.text) ?? []
        const digits = minorUnitDigits(t.profile.currency)
        const form = digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(?:\\.\\d{1,${digits}})?$`)
        t.that(form.test(total), `an order_discount_total with at most ${digits} decimals`, reply)
      }
      for (; made > 0; made--) {
        await clickBetween(t, email)
        t.accepted(await t.call('undoAddProduct', { email, product_id: product.id }), 'UNDO-1')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
  'delaySubscription.keeps-the-end-of-a-month': {
    title: 'The last two days of the next month of 31, and the first day after them, come back as they were sent.',
    requirements: ['DATE-5', 'DELAY-1'],
    needs: clickBetweenNeeds,
    async run(t) {
      const email = customerOf(t, 'neighbour')
      const { next_billing_date } = await readSubscription(t, email)
      const last = nextThirtyFirst(next_billing_date)
      for (const new_date of [addDays(last, -1), last, addDays(last, 1)]) {
        t.accepted(await t.call('delaySubscription', { email, new_date }), 'DELAY-1')
        t.equal((await readSubscription(t, email)).next_billing_date, new_date, 'next_billing_date')
      }
    },
  },
})

/** The next 31st, when its eve is after that date as well: only a month of 31 days shows a shop that counts to less. */
function nextThirtyFirst(date: string): string {
  let last = addDays(date, 2)
  while (!last.endsWith('-31')) last = addDays(last, 1)
  return last
}

function fixedCode(t: CheckContext): { readonly code: string; readonly amount: number } {
  const { code, discount } = t.need(t.profile.discounts.fixed, 'discounts.fixed')
  if (discount.discount_type !== 'fixed_amount')
    return t.skip('the fixed code of the profile takes no fixed amount off')
  return { code, amount: discount.discount_amount }
}

/** Whether the share of an amount is no whole number of minor units; amounts in floating point are a little off. */
function isFraction(t: CheckContext, discount: Discount, amount: number): boolean {
  const share = toMinor(t, shareOf(discount, amount))
  return Math.abs(share - Math.round(share)) > 0.001
}
