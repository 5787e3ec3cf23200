import { addDays, type EndpointName, type ErrorCode } from '@storeport/core'
import { type Check, type CheckContext, type Common, type ConcurrentCall, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { arrange, customerOf, quantitiesOf, readSubscription, swapLine } from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'
import { concurrently, mustWait } from '../shop/repeats.ts'

const { should, losesChange, countsTwice } = about('changes')

export const requirements: Requirements = {
  'STATE-3': losesChange(
    'Concurrent changes by one customer are all applied.',
    'The read, the change and the write are not in one transaction, so one request overwrites another.',
  ),
  'STATE-4': should(
    'Slow and aborted requests do not block other requests.',
    'The server handles one request at a time, or aborts requests with slow bodies.',
  ),
  'STATE-5': countsTwice(
    'Two concurrent requests with different keys never use the same thing twice: one addition is undone once, and one order is sent once.',
    'The record is read, checked and written in separate steps, so both requests find it unused.',
  ),
  'STATE-6': should(
    'The shop responds to 24 concurrent requests without a server error.',
    'The pool of connections or threads is too small, or a locked record causes an error instead of a wait.',
  ),
}

const common: Common = { mode: 'stress', layer: 'shop', needs: [] }

/** Checks that send a limited number of concurrent or slow requests. */
export const checks: readonly Check[] = define(common, {
  'stress.swaps-a-line-once': {
    title: 'Twenty identical concurrent swaps replace a line exactly once.',
    requirements: ['STATE-3', 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const input = { email, current_item_id: item.id, new_product_id: target.id }
      const done = await sendIdentical(t, 'swapProduct', input, 'item_not_found')
      t.ok(done > 0, 'one of the requests to succeed', 'SWAP-1')
      const { items } = await readSubscription(t, email)
      const expected = before.items.with(place, { ...item, title: target.title })
      t.equal(quantitiesOf(items), quantitiesOf(expected), 'the lines')
      await swapLine(t, email, items[place], product)
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
      const delays = concurrently((index) => ({
        name: 'delaySubscription',
        input: { email, new_date: addDays(next_billing_date, (index % 4) + 1) },
      }))
      const replies = await t.concurrently(delays)
      const refused = replies.filter((reply) => reply.status !== 200 && !mustWait(reply))
      for (const reply of refused) t.rejected(reply, 'invalid_date')
      const last = replies.at(-1) ?? t.skip('no request was sent')
      const { input = {} } = delays.at(-1) ?? {}
      // The shop may return 503 for the last request while another click of the customer is pending.
      t.accepted(mustWait(last) ? await t.call('delaySubscription', input) : last)
      t.equal((await readSubscription(t, email)).next_billing_date, input['new_date'], 'next_billing_date')
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
})

/** Sends identical requests concurrently. Returns the number of successes, and expects `code` for the others. */
async function sendIdentical(t: CheckContext, name: EndpointName, input: ConcurrentCall['input'], code: ErrorCode) {
  const replies = await t.concurrently(concurrently(() => ({ name, input })))
  const refused = replies.filter(({ status }) => status !== 200)
  for (const reply of refused) t.rejected(reply, code)
  return replies.length - refused.length
}
