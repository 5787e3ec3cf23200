import { addDays, CurrentSubscription } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import { type Check, type Common, define, type TogetherCall } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  customerOf,
  findSubscription,
  readCancelled,
  readSubscription,
  undoAdd,
  unitsOf,
} from '../steps/customers.ts'
import { clickBetween, passTheFirst, undoInTurn } from '../steps/changes.ts'
import { callHarmless, eachPost, expectThrough, harmlessInput, post } from '../steps/inputs.ts'

const { should } = about('changes')

/** What holds when many calls come at once. */
export const requirements: Requirements = {
  'STATE-3': should(
    'Calls of one customer that arrive together lose no change.',
    'Read, change and write are not one transaction: of two calls one overwrites the other.',
  ),
  'STATE-4': should(
    'Slow and broken-off requests do not hold up others.',
    'The server handles one request at a time, or gives up on slow bodies.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

/** How many calls are sent at once: more than a pool of connections or of threads holds. */
export const crowd = 20

const common: Common = { mode: 'stress', layer: 'shop', needs }

/** Many calls at once, and slow ones; bounded, so that they do no harm. */
export const checks: readonly Check[] = define(common, {
  'stress.loses-no-change': {
    title: 'Adds of one customer that arrive together all count.',
    requirements: ['STATE-3', 'ADD-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      // Amounts that no other check uses: none of these is the repeat of an earlier click.
      const quantities = Array.from({ length: crowd }, (_, index) => index + 11)
      const added = quantities.reduce((sum, quantity) => sum + quantity, 0)
      if (t.profile.maxQuantity < added) t.skip(`a line holds fewer than ${added} units`)
      const inputs = quantities.map((quantity) => ({ email, product_id, quantity }))
      const adds = inputs.map((input) => ({ name: 'addProduct' as const, input }))
      for (const reply of await t.together(adds)) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + added, 'units in all')
      const ids = inputs.map((input) => input.product_id)
      await undoInTurn(t, email, ids)
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'stress.counts-a-double-click-once': {
    title: 'The same add, sent many times at once, counts once and is a success each time.',
    requirements: ['RETRY-4', 'RETRY-1'],
    layer: 'wire',
    requires: ['retries'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      const input = { email, product_id, quantity: 31 }
      for (const reply of await t.together(crowdOf(() => ({ name: 'addProduct', input })))) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 31, 'units in all')
      await undoAdd(t, email, product_id)
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'stress.ships-one-order': {
    title: 'Many calls to send now at once ship one order: the subscription that is current then stays as it is.',
    requirements: ['SEND-4', 'STATE-3'],
    needs: ['getSubscription', 'delaySubscription', 'sendNow'],
    async run(t) {
      const { email, delayed, current } = await passTheFirst(t)
      const clicks = await t.together(crowdOf(() => ({ name: 'sendNow', input: { email } })))
      const shipped = clicks.filter(({ status }) => status === 200)
      const refused = clicks.filter(({ status }) => status !== 200)
      for (const reply of refused) t.refused(reply, 'order_already_processing')
      if (shipped.length === 0) t.spent('the customer was sent an order today already')
      // Either one click ships and the others are refused, or all of them share the answer of the one that ships.
      t.that(shipped.length === 1 || shipped.length === crowd, `1 or ${crowd} successes, not ${shipped.length}`)
      const after = await readSubscription(t, email)
      const isDelayed = haveSameLines(after, delayed) && !haveSameLines(after, current)
      if (isDelayed) t.equal(after, delayed, 'the other subscription')
      else t.equal(after.items, current.items, 'the items')
    },
  },
  'stress.ends-on-the-latest-date': {
    title: 'Delays of one customer that arrive together end on the latest date.',
    requirements: ['STATE-3', 'DELAY-1'],
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      await clickBetween(t, email)
      const dateOf = (index: number) => addDays(next_billing_date, (index % 4) + 1)
      const delays = crowdOf((index) => ({ name: 'delaySubscription', input: { email, new_date: dateOf(index) } }))
      const replies = await t.together(delays)
      const isToldToWait = ({ status, header }: Reply) => status === 503 && header('Retry-After') !== undefined
      const refused = replies.filter((reply) => reply.status !== 200 && !isToldToWait(reply))
      for (const reply of refused) t.refused(reply, 'invalid_date')
      const last = replies[replies.length - 1] ?? t.skip('nothing was sent')
      const new_date = dateOf(crowd - 1)
      // A repeat that comes late may have to wait for another click of the customer, of which nobody knows yet how it ends.
      t.accepted(isToldToWait(last) ? await t.call('delaySubscription', { email, new_date }) : last)
      t.equal((await readSubscription(t, email)).next_billing_date, new_date, 'next_billing_date')
    },
  },
  'stress.reactivates-once': {
    title: 'Many calls to reactivate one subscription make it active once and harm no other.',
    requirements: ['STATE-3', 'REACTIVATE-1'],
    needs: ['getSubscription', 'listCancelledSubscriptions', 'reactivateSubscription'],
    async run(t) {
      if (!t.farDates) t.skip('the customer would keep a second subscription, near the one that other checks work with')
      const email = customerOf(t, 'otherCustomer')
      const [first = t.spent('nothing is left to reactivate'), ...others] = await readCancelled(t, email)
      const input = { email, subscription_id: first.subscription_id }
      const clicks = await t.together(crowdOf(() => ({ name: 'reactivateSubscription', input })))
      const refused = clicks.filter(({ status }) => status !== 200)
      for (const reply of refused) t.refused(reply, 'subscription_not_cancelled')
      t.that(refused.length < crowd, 'one of the calls to succeed', clicks[0], 'REACTIVATE-1')
      t.equal(await readCancelled(t, email), others, 'the list')
      const current = await readSubscription(t, email)
      t.equal(current.next_billing_date, addDays(t.today, 1), 'next_billing_date', 'REACTIVATE-2')
      const [quantities, had] = [current.items, first.products].map((lines) => lines.map(({ quantity }) => quantity))
      t.equal(quantities, had, 'quantities')
      // Out of the way of the other subscription, with which other checks work, now and in later runs.
      if (t.offered.includes('delaySubscription')) await t.call('delaySubscription', { email, new_date: '9990-01-01' })
    },
  },
  'stress.mixes-no-customers': {
    title: 'Reads of several customers that are answered at the same time do not mix.',
    requirements: ['CUSTOMER-2'],
    layer: 'wire',
    needs: ['getSubscription'],
    async run(t) {
      const { subscribed, otherCustomer } = t.profile.customers
      const customers = [t.need(subscribed, 'customers.subscribed'), t.need(otherCustomer, 'customers.otherCustomer')]
      const alone: unknown[] = []
      for (const email of customers) alone.push(await findSubscription(t, email))
      const calls = Array.from({ length: 3 * crowd }, async (_, index) => {
        const which = index % customers.length
        const reply = await t.call('getSubscription', { email: customers[which] })
        t.equal(t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1'), alone[which], 'the own subscription', reply)
      })
      await Promise.all(calls)
    },
  },
  'stress.survives-a-burst': {
    title: 'Fifty reads at once are all answered, or told to wait with `Retry-After`.',
    requirements: ['ERROR-5', 'ERROR-2'],
    layer: 'wire',
    needs: ['listProducts'],
    async run(t) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => t.call('listProducts')))
      for (const reply of replies) {
        if (errorCodeOf(reply) !== 'rate_limited') t.accepted(reply)
        else t.that(reply.header('Retry-After') !== undefined, 'a Retry-After header', reply, 'ERROR-2')
      }
    },
  },
  'stress.waits-for-slow-bodies': {
    title: 'A body that arrives slowly is read to its end, and holds up no other call meanwhile.',
    requirements: ['STATE-4'],
    layer: 'wire',
    needs: [],
    run: eachPost(async (t, name) => {
      let finish: () => void = () => {}
      const othersAreDone = new Promise<void>((resolve) => (finish = resolve))
      const body = JSON.stringify(harmlessInput(t, name))
      const slow = post(t, name, haltedAt(body, 10, othersAreDone))
      // When another call fails first, nobody waits for this one any more.
      slow.catch(() => {})
      try {
        for (const other of t.offered) await expectThrough(t, await callHarmless(t, other), other)
      } finally {
        finish()
      }
      await expectThrough(t, await slow, name)
    }),
  },
})

/** The calls of a crowd. */
export function crowdOf(make: (index: number) => TogetherCall): readonly TogetherCall[] {
  return Array.from({ length: crowd }, (_, index) => make(index))
}

/** A text whose second part comes only when something else is done. */
async function* haltedAt(text: string, bytes: number, until: Promise<void>): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text)
  yield whole.subarray(0, bytes)
  await until
  yield whole.subarray(bytes)
}
