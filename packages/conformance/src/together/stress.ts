import { addDays, CurrentSubscription } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import { type Check, type Common, define, type ConcurrentCall } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  customerOf,
  expectDay,
  findSubscription,
  readCancelled,
  readSubscription,
  undoAdd,
  unitsOf,
} from '../steps/customers.ts'
import { makeOtherChange, makeAnotherCurrent, undoAll } from '../steps/changes.ts'
import { callHarmless, eachPost, expectValid, harmlessInput, post } from '../steps/inputs.ts'

const { should, losesChange } = about('changes')

export const requirements: Requirements = {
  'STATE-3': losesChange(
    'Concurrent changes by one customer are all applied.',
    'The read, the change and the write are not in one transaction, so one request overwrites another.',
  ),
  'STATE-4': should(
    'Slow and aborted requests do not block other requests.',
    'The server handles one request at a time, or aborts requests with slow bodies.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

/** Number of concurrent requests, which exceeds the size of a typical connection pool or thread pool. */
export const concurrency = 20

const common: Common = { mode: 'stress', layer: 'shop', needs }

/** Checks that send a limited number of concurrent or slow requests. */
export const checks: readonly Check[] = define(common, {
  'stress.loses-no-change': {
    title: 'Concurrent addProduct requests for one customer all take effect.',
    requirements: ['STATE-3', 'ADD-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      // Uses quantities that no other check uses, so that the shop does not treat a request as a repeat of an earlier
      // click.
      const quantities = Array.from({ length: concurrency }, (_, index) => index + 11)
      const added = quantities.reduce((sum, quantity) => sum + quantity, 0)
      if (t.profile.maxQuantity < added) t.skip(`maxQuantity is lower than ${added}`)
      const inputs = quantities.map((quantity) => ({ email, product_id, quantity }))
      const adds = inputs.map((input) => ({ name: 'addProduct' as const, input }))
      for (const reply of await t.concurrently(adds)) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + added, 'total units')
      const ids = inputs.map((input) => input.product_id)
      await undoAll(t, email, ids)
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'stress.runs-a-double-click-once': {
    title: 'Concurrent repeats of the same addProduct request take effect once, and each returns success.',
    requirements: ['RETRY-4', 'RETRY-1'],
    layer: 'wire',
    requires: ['retries'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      const input = { email, product_id, quantity: 31 }
      for (const reply of await t.concurrently(concurrently(() => ({ name: 'addProduct', input })))) t.accepted(reply)
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + 31, 'total units')
      await undoAdd(t, email, product_id)
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'stress.ships-one-order': {
    title: 'Concurrent sendNow requests ship one order. The subscription that is current afterwards does not change.',
    requirements: ['SEND-4', 'STATE-3'],
    needs: ['getSubscription', 'delaySubscription', 'sendNow'],
    async run(t) {
      const { email, delayed, current } = await makeAnotherCurrent(t)
      const clicks = await t.concurrently(concurrently(() => ({ name: 'sendNow', input: { email } })))
      const shipped = clicks.filter(({ status }) => status === 200)
      const refused = clicks.filter(({ status }) => status !== 200)
      for (const reply of refused) t.rejected(reply, 'order_already_processing')
      if (shipped.length === 0) t.skipUsed('an order was already sent today for this customer', 'sendNow')
      // Either one request succeeds and the others are rejected, or all requests share the successful response.
      t.ok(
        shipped.length === 1 || shipped.length === concurrency,
        `1 or ${concurrency} successes, not ${shipped.length}`,
        shipped.at(-1),
      )
      const after = await readSubscription(t, email)
      const isDelayed = haveSameLines(after, delayed) && !haveSameLines(after, current)
      if (isDelayed) t.equal(after, delayed, 'the other subscription')
      else t.equal(after.items, current.items, 'the items')
    },
  },
  'stress.ends-on-the-latest-date': {
    title: 'After concurrent delays by one customer, the next billing date is the latest requested date.',
    requirements: ['STATE-3', 'DELAY-1'],
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const { next_billing_date } = await readSubscription(t, email)
      await makeOtherChange(t, email)
      const dateOf = (index: number) => addDays(next_billing_date, (index % 4) + 1)
      const delays = concurrently((index) => ({
        name: 'delaySubscription',
        input: { email, new_date: dateOf(index) },
      }))
      const replies = await t.concurrently(delays)
      const mustWait = ({ status, header }: Reply) => status === 503 && header('Retry-After') !== undefined
      const refused = replies.filter((reply) => reply.status !== 200 && !mustWait(reply))
      for (const reply of refused) t.rejected(reply, 'invalid_date')
      const last = replies[replies.length - 1] ?? t.skip('no request was sent')
      const new_date = dateOf(concurrency - 1)
      // The shop may return 503 for the last request while another click of the customer is pending.
      t.accepted(mustWait(last) ? await t.call('delaySubscription', { email, new_date }) : last)
      t.equal((await readSubscription(t, email)).next_billing_date, new_date, 'next_billing_date')
    },
  },
  'stress.reactivates-once': {
    title: 'Concurrent requests to reactivate the same subscription activate it once and change no other subscription.',
    requirements: ['STATE-3', 'REACTIVATE-1'],
    needs: ['getSubscription', 'listCancelledSubscriptions', 'reactivateSubscription'],
    async run(t) {
      if (!t.farDates)
        t.skip('the reactivated subscription cannot be delayed far enough to exclude it from other checks')
      const email = customerOf(t, 'otherCustomer')
      const [first = t.skipUsed('no cancelled subscription is left', 'reactivateSubscription'), ...others] =
        await readCancelled(t, email)
      const input = { email, subscription_id: first.subscription_id }
      const clicks = await t.concurrently(concurrently(() => ({ name: 'reactivateSubscription', input })))
      const refused = clicks.filter(({ status }) => status !== 200)
      for (const reply of refused) t.rejected(reply, 'subscription_not_cancelled')
      t.ok(refused.length < concurrency, 'one of the requests to succeed', clicks[0], 'REACTIVATE-1')
      t.equal(await readCancelled(t, email), others, 'the list')
      const current = await readSubscription(t, email)
      expectDay(t, current.next_billing_date, addDays(t.today, 1), 'REACTIVATE-2')
      const [quantities, had] = [current.items, first.products].map((lines) => lines.map(({ quantity }) => quantity))
      t.equal(quantities, had, 'quantities')
      // Delays the reactivated subscription far into the future, because other checks use the customer's other
      // subscription.
      if (t.offered.includes('delaySubscription')) await t.call('delaySubscription', { email, new_date: '9990-01-01' })
    },
  },
  'stress.separates-concurrent-reads': {
    title: 'Concurrent reads return the data of the correct customer.',
    requirements: ['CUSTOMER-2'],
    layer: 'wire',
    needs: ['getSubscription'],
    async run(t) {
      const { subscribed, otherCustomer } = t.profile.customers
      const customers = [t.need(subscribed, 'customers.subscribed'), t.need(otherCustomer, 'customers.otherCustomer')]
      const expected: unknown[] = []
      for (const email of customers) expected.push(await findSubscription(t, email))
      const calls = Array.from({ length: 3 * concurrency }, async (_, index) => {
        const which = index % customers.length
        const reply = await t.call('getSubscription', { email: customers[which] })
        t.equal(t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1'), expected[which], 'the same subscription', reply)
      })
      await Promise.all(calls)
    },
  },
  'stress.survives-a-burst': {
    title: 'Fifty concurrent reads all succeed, or are rate-limited with `Retry-After`.',
    requirements: ['ERROR-5', 'ERROR-2'],
    layer: 'wire',
    needs: ['listProducts'],
    async run(t) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => t.call('listProducts')))
      for (const reply of replies) {
        if (errorCodeOf(reply) !== 'rate_limited') t.accepted(reply)
        else t.ok(reply.header('Retry-After') !== undefined, 'a Retry-After header', reply, 'ERROR-2')
      }
    },
  },
  'stress.waits-for-slow-bodies': {
    title: 'A slow body is read completely and does not block other requests.',
    requirements: ['STATE-4'],
    layer: 'wire',
    needs: [],
    run: eachPost(async (t, name) => {
      let finish: () => void = () => {}
      const othersAreDone = new Promise<void>((resolve) => (finish = resolve))
      const body = JSON.stringify(harmlessInput(t, name))
      const slow = post(t, name, haltedAt(body, 10, othersAreDone))
      // Prevents an unhandled rejection of `slow` if another request fails first.
      slow.catch(() => {})
      try {
        for (const other of t.offered) await expectValid(t, await callHarmless(t, other), other)
      } finally {
        finish()
      }
      await expectValid(t, await slow, name)
    }),
  },
})

/** Creates a batch of concurrent requests. `make` receives the index of the request. */
export function concurrently(make: (index: number) => ConcurrentCall): readonly ConcurrentCall[] {
  return Array.from({ length: concurrency }, (_, index) => make(index))
}

/** Yields the first bytes of a string. Yields the rest when the promise `until` resolves. */
async function* haltedAt(text: string, bytes: number, until: Promise<void>): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text)
  yield whole.subarray(0, bytes)
  await until
  yield whole.subarray(bytes)
}
