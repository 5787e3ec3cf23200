import { addDays, addMonths, type CurrentSubscription } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import { type Check, type CheckContext, define, onceInAShop } from '../engine/check.ts'
import { CheckFailure, CheckSkip } from '../engine/check-end.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import {
  customerOf,
  expectDay,
  mayBeSentToday,
  reductionOf,
  readProducts,
  readSubscription,
  skipIfSentToday,
  titlesOf,
} from '../shop/customers.ts'
import { rejects } from './examples.ts'
import { named } from '../shop/repeats.ts'
import { makeCurrent, makeOtherChange, makeAnotherCurrent, undoAll } from '../shop/changes.ts'

const { must, should, countsTwice } = about('sending now')

export const requirements: Requirements = {
  'SEND-1': must('The next order is processed and shipped now.', 'No order is created or visible.'),
  'SEND-2': should('The next billing date becomes today plus the interval.', 'The interval is added to the old date.'),
  'SEND-3': countsTwice(
    'A customer can use send-now once per day across all subscriptions. Later requests on the same day return 400 `order_already_processing`.',
    'Nothing prevents a second order on the same day.',
  ),
  'SEND-4': countsTwice('A repeated click ships one order, never two.', 'Each click or retry creates an order.'),
  'SEND-5': should(
    'A send-now request for a customer without an active subscription returns 404 `subscription_not_found`.',
    'The request returns success, although the customer has no subscription.',
  ),
}

const needs = ['getSubscription', 'delaySubscription', 'sendNow'] as const
const needsAdd = [...needs, 'listProducts', 'addProduct', 'undoAddProduct'] as const

/** Checks of sendNow. Most checks need a customer without an order from today, since sendNow succeeds once per day. */
export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'sendNow.rejects-invalid-requests': {
    needs: ['sendNow'],
    ...rejects('sendNow', [
      ['CUSTOMER-1', 'customer_not_found', 'unknown', () => [{}]],
      ['SEND-5', 'subscription_not_found', 'empty', () => [{}]],
    ]),
  },
  'sendNow.bills-again-after-the-interval': {
    title:
      'The next billing date becomes today plus the interval. The order uses up one-time lines and discount codes, its additions cannot be undone, and a second order on the same day is rejected. The other items, the shipping cost and the tax rate do not change.',
    requirements: ['SEND-1', 'SEND-2', 'SEND-3', 'JSON-2', 'ADD-5', 'ADD-10', 'ADD-11', 'UNDO-5', 'FRAME-2'],
    layer: 'wire',
    needs: ['getSubscription', 'sendNow'],
    async run(t) {
      const { subscribed, otherCustomer } = t.profile.customers
      const hasDelays = t.offered.includes('delaySubscription')
      // Without delays, no other check orders for `subscribed`.
      const email = t.need(otherCustomer ?? (hasDelays ? undefined : subscribed), 'customers.otherCustomer')
      const interval = email === otherCustomer ? t.profile.interval : undefined
      const before = await readSubscription(t, email)
      const fillings = await fillOrder(t, email, before)
      const reply = await send(t, email, fillings)
      t.equal(reply.json, { success: true }, 'the body', reply, 'JSON-2')
      // After the order, another subscription of the customer may be billed first.
      const after = await makeCurrent(t, email, before)
      t.ok(after.next_billing_date > t.today, 'a date in the future')
      if (interval !== undefined) {
        const { months = 0, weeks = 0 } = interval
        const expectedOn = (today: string) => addDays(addMonths(today, months), 7 * weeks)
        expectDay(t, after.next_billing_date, expectedOn, 'SEND-2')
      }
      t.equal(after.items, before.items, 'the items', fillings.length > 0 ? 'ADD-5' : 'SEND-1')
      t.ok(reductionOf(t, after, before) <= 0, 'the order to use up the discount codes', 'ADD-11')
      for (const field of ['shipping_total_cost', 'customer_tax_rate'] as const)
        t.equal(after[field], before[field], field, 'FRAME-2')
      // Separates the second order from the first, which the shop may otherwise treat as a repeat.
      if (hasDelays) await makeOtherChange(t, email)
      const second = await t.call('sendNow', { email }, hasDelays ? {} : named())
      t.rejected(second, 'order_already_processing', 'SEND-3')
      for (const product_id of fillings) {
        await makeOtherChange(t, email)
        const undone = await t.call('undoAddProduct', { email, product_id })
        t.rejected(undone, 'product_not_in_order', 'UNDO-5')
      }
    },
  },
  'sendNow.ships-once-for-a-repeated-click': {
    title:
      'A click that is sent several times ships one order. The repeats are concurrent, 2 ms apart, after the response and after a change by another customer, with and without an `Idempotency-Key`. The subscription that then becomes current does not change.',
    requirements: ['SEND-4', 'SEND-3', 'SEND-1', 'STATE-5', 'RETRY-1', 'RETRY-4', 'RETRY-12', 'UNDO-4'],
    requires: ['retries'],
    async run(t) {
      await shipOnce(t, customerOf(t, 'subscribed'))
      for (const email of t.profile.customers.more ?? []) await shipOnce(t, email).catch(ignoreSkip)
    },
  },
})

/**
 * Adds one-time lines of several units to the next order: two new products, one with a percentage code and one with a
 * fixed-amount code, and a product of the subscription. Returns the ids of the added products; an empty list if the
 * shop does not offer additions.
 */
async function fillOrder(t: CheckContext, email: string, { items }: CurrentSubscription): Promise<readonly string[]> {
  if (!needsAdd.every((name) => t.offered.includes(name))) return []
  const { percentage, fixed } = t.profile.discounts
  const products = await readProducts(t)
  const owned = products.filter(({ title }) => titlesOf(items).includes(title))
  const others = products.filter((product) => !owned.includes(product))
  const added: string[] = []
  for (const [place, { id }] of [...others.slice(0, 2), ...owned.slice(0, 1)].entries()) {
    const discount_code = [percentage, fixed][place]?.code
    // A shop may reject a code of this customer. Other checks report such a rejection.
    const add = { email, product_id: id, quantity: 3, one_time: true, discount_code }
    if ((await t.call('addProduct', add)).status === 200) added.push(id)
  }
  return added
}

/** Sends the next order. If the customer has an order from today, undoes the additions and skips the check. */
async function send(t: CheckContext, email: string, added: readonly string[]) {
  await makeOtherChange(t, email)
  const reply = await t.call('sendNow', { email })
  if (mayBeSentToday(reply)) await undoAll(t, email, added.toReversed())
  skipIfSentToday(t, [reply])
  t.accepted(reply)
  return reply
}

/** Sends the order of a day for a customer several times, and expects one effect. */
async function shipOnce(t: CheckContext, email: string): Promise<void> {
  const { undo, delayed, current } = await arrangeClick(t, email).catch((error: unknown) => {
    // Other checks report invalid data.
    if (error instanceof CheckFailure) return none
    throw error
  })
  const plain = {}
  const keyed = { 'Idempotency-Key': crypto.randomUUID() }
  const other = { 'Idempotency-Key': crypto.randomUUID() }
  const forms = [plain, plain, plain, keyed, keyed, other]
  const calls = forms.map((headers) => ({ name: 'sendNow' as const, input: { email }, headers }))
  const replies = await t.concurrently(calls, [0, 0, 2, 2, 2, 2])
  const repliesTo = (form: object) => replies.filter((_, at) => forms[at] === form)
  const isShippedBy = (form: object) => repliesTo(form).some(({ status }) => status === 200)
  // If a request with a key also succeeded, the requests without a key may be another click.
  const isRepeat = isShippedBy(plain) && ![keyed, other].some(isShippedBy)
  if (isRepeat) for (const reply of repliesTo(plain)) t.accepted(reply, 'RETRY-4')
  skipIfSentToday(t, replies)
  const refused = replies.filter(({ status }) => status !== 200)
  if (refused.length === replies.length) for (const reply of refused) t.accepted(reply, 'SEND-1')
  for (const reply of refused)
    if (errorCodeOf(reply) !== 'request_in_progress') t.rejected(reply, 'order_already_processing')
  t.ok(
    !isShippedBy(keyed) || !isShippedBy(other),
    'success for at most one of two requests with different keys',
    'STATE-5',
  )
  t.tried('sendNow')
  const after = await readSubscription(t, email)
  if (delayed !== undefined && current !== undefined) {
    const isDelayed = haveSameLines(after, delayed) && !haveSameLines(after, current)
    if (isDelayed) t.equal(after, delayed, 'the other subscription')
    else {
      t.equal(after.items, current.items, 'the items')
      // The earliest date is current, so a later date means that the other subscription was ordered too.
      t.ok(after.next_billing_date <= delayed.next_billing_date, 'the date of the other subscription not to change')
    }
  }
  const { otherCustomer } = t.profile.customers
  for (const [headers, requirement] of [[plain, 'RETRY-1'], [keyed], [plain, 'RETRY-12']] as const) {
    const again = await t.call('sendNow', { email }, { headers })
    if (isRepeat && requirement !== undefined) t.accepted(again, requirement)
    else if (again.status !== 200) t.rejected(again, 'order_already_processing')
    t.equal(await readSubscription(t, email), after, 'the subscription after a repeat', requirement)
    if (otherCustomer !== undefined) await makeOtherChange(t, otherCustomer)
  }
  const another = await t.call('sendNow', { email }, named())
  t.rejected(another, 'order_already_processing', 'SEND-3')
  // Without another subscription, the order contains this addition and ends it.
  if (undo !== undefined && delayed !== undefined) t.accepted(await undo(), 'UNDO-4')
}

/**
 * Adds a product to the current subscription of a customer, and delays the subscription until another
 * subscription is current. Returns nothing for invalid data, and only `undo` without another subscription.
 */
async function arrangeClick(t: CheckContext, email: string) {
  const [product] = needsAdd.every((name) => t.offered.includes(name)) ? await readProducts(t) : []
  const add = { email, product_id: product?.id }
  const isAdded = product !== undefined && (await t.call('addProduct', add)).status === 200
  const undo = isAdded ? () => t.call('undoAddProduct', add) : undefined
  const found = await makeAnotherCurrent(t, email).catch(ignoreSkip)
  await makeOtherChange(t, email)
  return { delayed: found?.delayed, current: found?.current, undo }
}

const none = { delayed: undefined, current: undefined, undo: undefined }

function ignoreSkip(error: unknown): void {
  if (!(error instanceof CheckSkip)) throw error
}
