import { isDeepStrictEqual } from 'node:util'
import { addDays, CurrentSubscription, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, type NamedCall, define, onTheWire } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  customerOf,
  emailsOf,
  linesOf,
  quantitiesOf,
  readSubscription,
  swapLine,
  titlesOf,
  unitsOf,
} from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'
import { harmlessInput } from '../shop/inputs.ts'
import { concurrency, concurrently, forRounds, mustWait, named, sendTogether, withOwnKey } from '../shop/repeats.ts'

const { should, losesChange, countsTwice } = about('changes')

export const requirements: Requirements = {
  'STATE-3': losesChange('Concurrent changes by one customer are all applied.', 'The change is not one transaction.'),
  'STATE-4': should('Slow and aborted requests do not block other requests.', 'Requests are handled one by one.'),
  'STATE-5': countsTwice(
    'Two concurrent requests with different keys never use the same thing twice: one addition is undone once, and one order is sent once.',
    'The record is read, checked and written in separate steps, so both requests find it unused.',
  ),
  'STATE-6': should(
    'The shop responds to 24 concurrent requests without a server error.',
    'The pool of connections or threads is too small, or a locked record causes an error instead of a wait.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** Sends requests concurrently, and expects success for each. */
async function acceptAll(t: CheckContext, calls: readonly NamedCall[], requirement: RequirementId): Promise<void> {
  for (const reply of await sendTogether(t, calls)) t.accepted(reply, requirement)
}

/** Sends concurrent additions of one product, then their undos. In every second round, the lines are one-time lines. */
function addingTogether(count: number, rounds: number): Check['run'] {
  return async (t) => {
    const { email, before, newProduct, expectUnits } = await arrange(t)
    const product_id = newProduct().id
    const quantities = Array.from({ length: count }, (_, index) => 1 + (index % 2))
    const units = quantities.reduce((sum, quantity) => sum + quantity, 0)
    if (t.profile.maxQuantity < units) t.skip(`maxQuantity is lower than ${units}`)
    for (let round = 0; round < rounds; round++) {
      const more = round % 2 === 1 ? { one_time: true } : {}
      const adds = quantities.map((quantity) => withOwnKey('addProduct', { email, product_id, quantity, ...more }))
      for (const reply of await t.concurrently(adds)) t.accepted(reply)
      await expectUnits(units)
      const undos = adds.map(() => withOwnKey('undoAddProduct', { email, product_id }))
      for (const reply of await t.concurrently(undos)) t.accepted(reply, 'UNDO-1')
      t.equal(await readSubscription(t, email), before, 'the subscription after all undos')
    }
  }
}

const inDefaultMode = define(common, requirements, {
  'addProduct.keeps-concurrent-adds': {
    title:
      'Two different addProduct requests that are sent concurrently for one customer both take effect, for recurring and for one-time lines.',
    requirements: ['STATE-3', 'ADD-1'],
    requires: ['retries'],
    run: addingTogether(2, 10),
  },
  'customers.stay-separate-at-the-same-time': {
    title:
      'If two customers read their data, add products, or delay to their present dates concurrently, each response has the data of its customer, and each change applies only to its customer.',
    requirements: ['CUSTOMER-2', 'STATE-3', 'STATE-6'],
    async run(t) {
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const customers = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
      const before = new Map<unknown, CurrentSubscription>()
      for (const email of customers) before.set(email, await readSubscription(t, email))
      const delays = [...before].flatMap(([email, { next_billing_date: new_date }]): NamedCall[] =>
        t.offered.includes('delaySubscription') && new_date > t.today
          ? [{ name: 'delaySubscription', input: { email, new_date } }]
          : [],
      )
      await forRounds(async (round) => {
        const calls = customers.flatMap((email, index): NamedCall[] => {
          const read: NamedCall = { name: 'getSubscription', input: { email } }
          return [read, withOwnKey('addProduct', { email, product_id, quantity: index + 1 }), read, read]
        })
        const mixed = [...calls.slice(round % calls.length), ...calls.slice(0, round % calls.length)]
        for (const [index, reply] of (await sendTogether(t, mixed)).entries()) {
          if (mixed[index]?.name === 'addProduct') t.accepted(reply, 'STATE-3')
          else expectOwn(t, reply, before.get(mixed[index]?.input['email']))
        }
        for (const [index, email] of customers.entries()) {
          const had = before.get(email)
          const what = `total units of customer ${index + 1} in round ${round + 1}`
          t.equal(unitsOf(await readSubscription(t, email)), had && unitsOf(had) + index + 1, what, 'STATE-3')
        }
        const undos = customers.map((email) => withOwnKey('undoAddProduct', { email, product_id }))
        for (const [index, reply] of (await sendTogether(t, [...undos, ...delays])).entries())
          t.accepted(reply, index < undos.length ? 'STATE-3' : 'CUSTOMER-2')
      })
      for (const [index, email] of customers.entries())
        t.equal(await readSubscription(t, email), before.get(email), `the subscription of customer ${index + 1}`)
    },
  },
  'state.keeps-different-changes-at-the-same-time': {
    title:
      'If one customer sends two different changes concurrently, both take effect: an addition and a swap, an undo or a delay.',
    requirements: ['STATE-3', 'STATE-6'],
    needs: [...needs, 'swapProduct', 'delaySubscription'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const lines = async () => (await readSubscription(t, email)).items
      const swapTo = async (new_product_id: string) =>
        withOwnKey('swapProduct', { email, current_item_id: (await lines())[place]?.id, new_product_id })
      const other = place === 0 ? before.items.length - 1 : 0
      const otherLine = before.items[other]
      const product_id = t.profile.products.listed.find(({ id }) => id === otherLine?.id)?.id
      if (otherLine !== undefined && product_id !== undefined && other !== place) {
        const more = { ...otherLine, quantity: otherLine.quantity + 2 }
        const expected = quantitiesOf(before.items.with(place, { ...item, title: target.title }).with(other, more))
        await forRounds(async (round) => {
          const add = withOwnKey('addProduct', { email, product_id, quantity: 2 })
          await acceptAll(t, [await swapTo(target.id), add], 'STATE-3')
          const after = quantitiesOf(await lines())
          t.equal(after, expected, `the lines after a swap and an addition in round ${round + 1}`)
          const undo = withOwnKey('undoAddProduct', { email, product_id })
          await acceptAll(t, [await swapTo(product.id), undo], 'STATE-3')
          const what = `the lines after a swap and an undo in round ${round + 1}`
          t.equal(linesOf(await lines()), linesOf(before.items), what)
        })
      }
      await delayWhileAdding(t)
    },
  },
  'undoAddProduct.undoes-one-add-for-two-keys': {
    title:
      'If two undos with different keys arrive concurrently after one addition, one undo succeeds and the other is rejected.',
    requirements: ['STATE-5', 'STATE-6'],
    async run(t) {
      const { email, expectUnits, ownedProduct } = await arrange(t)
      const click = { email, product_id: ownedProduct().product.id }
      await forRounds(async (round) => {
        await acceptAll(t, [withOwnKey('addProduct', click)], 'ADD-1')
        const undos = [1, 2].map(() => withOwnKey('undoAddProduct', click))
        const done = (await sendTogether(t, undos)).filter(({ status }) => status === 200)
        t.equal(done.length, 1, `the number of successful undos of one addition in round ${round + 1}`)
        await expectUnits(0, 'STATE-5', ' after two undos of one addition')
      })
    },
  },
})

const reads = define(onTheWire, requirements, {
  'state.responds-to-many-requests-at-the-same-time': {
    title: 'The shop responds to 24 or more concurrent requests of all customers as to single requests.',
    requirements: ['STATE-6', 'CUSTOMER-2'],
    layer: 'shop',
    async run(t) {
      const ofCustomers = t.offered.filter((name) => endpoints[name].method === 'GET' && name !== 'getDiscount')
      const own = emailsOf(t).flatMap((email) => ofCustomers.map((name): NamedCall => ({ name, input: { email } })))
      const harmless = t.offered.filter((name) => t.maySend(endpoints[name].method))
      const others = harmless.map((name) => ({ name, input: harmlessInput(t, name) }))
      const calls = Array.from({ length: 24 }, () => [...own, ...others])
        .flat()
        .slice(0, Math.max(24, own.length))
      const single: Reply[] = []
      for (const { name, input } of calls) single.push(await t.call(name, input))
      for (let round = 0; round < 4; round++) {
        for (const [index, reply] of (await sendTogether(t, calls)).entries()) {
          t.equal(reply.status, single[index]?.status, 'the status of the single request', reply)
          t.equal(reply.json, single[index]?.json, 'the body of the single request', reply, 'CUSTOMER-2')
        }
      }
    },
  },
})

/** Checks that send more concurrent requests than a typical pool has connections or threads. */
const inStressMode = define({ ...common, mode: 'stress' }, requirements, {
  'stress.loses-no-change': {
    title:
      'Twenty concurrent addProduct requests for one customer, each with its own `Idempotency-Key`, all take effect, even if some of them are identical.',
    requirements: ['STATE-3', 'RETRY-7', 'ADD-1'],
    requires: ['retries'],
    run: addingTogether(concurrency, 1),
  },
  'stress.runs-one-request-for-each-key': {
    title:
      'If twenty different addProduct requests with the same `Idempotency-Key` arrive concurrently, one takes effect and the others are rejected.',
    requirements: ['RETRY-14', 'RETRY-6'],
    requires: ['retries'],
    async run(t) {
      const { email, before, newProduct, expectUnits } = await arrange(t)
      const product_id = newProduct().id
      const { headers } = named()
      const inputOf = (index: number) => ({ email, product_id, quantity: index + 1 })
      const replies = await t.concurrently(
        concurrently((index) => ({ name: 'addProduct', input: inputOf(index), headers })),
      )
      for (const reply of replies.filter(({ status }) => status !== 200))
        if (errorCodeOf(reply) !== 'request_in_progress') t.rejected(reply, 'idempotency_key_reused', 'RETRY-6')
      const done = replies.flatMap(({ status }, index) => (status === 200 ? [inputOf(index)] : []))
      t.equal(done.length, 1, 'the number of requests that succeed')
      for (const input of done) {
        await expectUnits(input.quantity)
        t.accepted(await t.call('addProduct', input, { headers }), 'RETRY-5')
        await expectUnits(input.quantity)
      }
      t.accepted(await t.call('undoAddProduct', { email, product_id }, named()), 'UNDO-1')
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
    },
  },
  'stress.swaps-a-line-once': {
    title: 'Twenty identical concurrent swaps replace a line exactly once.',
    requirements: ['STATE-3', 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const input = { email, current_item_id: item.id, new_product_id: target.id }
      const replies = await t.concurrently(concurrently(() => ({ name: 'swapProduct', input })))
      const refused = replies.filter(({ status }) => status !== 200)
      for (const reply of refused) t.rejected(reply, 'item_not_found')
      t.ok(refused.length < replies.length, 'one of the requests to succeed', 'SWAP-1')
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
      const dateOf = (index: number) => addDays(next_billing_date, (index % 4) + 1)
      const replies = await t.concurrently(
        concurrently((index) => ({ name: 'delaySubscription', input: { email, new_date: dateOf(index) } })),
      )
      const refused = replies.filter((reply) => reply.status !== 200 && !mustWait(reply))
      for (const reply of refused) t.rejected(reply, 'invalid_date')
      const last = replies.at(-1) ?? t.skip('no request was sent')
      const new_date = dateOf(replies.length - 1)
      // The shop may return 503 for the last request while another click of the customer is pending.
      t.accepted(mustWait(last) ? await t.call('delaySubscription', { email, new_date }) : last)
      t.equal((await readSubscription(t, email)).next_billing_date, new_date, 'next_billing_date')
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

/** Checks that send requests concurrently. */
export const checks: readonly Check[] = [...reads, ...inDefaultMode, ...inStressMode]

/** Sends a delay by one day and an addProduct request concurrently, until another subscription of the customer is billed first. */
async function delayWhileAdding(t: CheckContext): Promise<void> {
  const { email, before, ownedProduct } = await arrange(t, customerOf(t, 'otherCustomer'))
  const add = { email, product_id: ownedProduct().product.id }
  // A delay cannot be undone.
  for (let delays = 0; delays < 3; delays++) {
    const { next_billing_date } = await readSubscription(t, email)
    const new_date = addDays(next_billing_date, 1)
    const changes = [withOwnKey('addProduct', add), withOwnKey('delaySubscription', { email, new_date })]
    await acceptAll(t, changes, 'STATE-3')
    const after = await readSubscription(t, email)
    await acceptAll(t, [withOwnKey('undoAddProduct', add)], 'STATE-3')
    // If the shop delays first, the product is added to the subscription that is current then.
    const isKnownDate = [next_billing_date, new_date].includes(after.next_billing_date)
    if (!isKnownDate || !isDeepStrictEqual(titlesOf(after.items), titlesOf(before.items))) return
    const expected = [new_date, unitsOf(before) + 1]
    t.equal([after.next_billing_date, unitsOf(after)], expected, 'the date and the total units')
  }
}

/** Expects the date and the lines of the customer of a read, before or after the addition of the round. */
function expectOwn(t: CheckContext, reply: Reply, own: CurrentSubscription | undefined): void {
  const read = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
  const titles = titlesOf(own?.items ?? [])
  const shown = titlesOf(read.items).filter((title) => titles.includes(title))
  const expected = [own?.next_billing_date, ...titles]
  t.equal(
    [read.next_billing_date, ...shown],
    expected,
    "the date and the lines of the customer's own subscription",
    reply,
  )
}
