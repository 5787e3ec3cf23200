import { isDeepStrictEqual } from 'node:util'
import { addDays, CurrentSubscription, endpoints, type EndpointName } from '@storeport/core'
import { type Check, type CheckContext, type Common, type ConcurrentCall, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { arrange, customerOf, linesOf, quantitiesOf, readSubscription, titlesOf, unitsOf } from '../steps/customers.ts'
import { harmlessInput } from '../steps/inputs.ts'

const { countsTwice, should } = about('changes')

export const requirements: Requirements = {
  'STATE-5': countsTwice(
    'Two concurrent requests with different keys never use the same thing twice: one addition is undone once, and one order is sent once.',
    'The record is read, checked and written in separate steps, so both requests find it unused.',
  ),
  'STATE-6': should(
    'The shop responds to 24 concurrent requests without a server error.',
    'The pool of connections or threads is too small, or a locked record causes an error instead of a wait.',
  ),
}

/** Maximum number of rounds of one check. A shop that fails in one of twenty rounds is found with 99 %. */
const maxRounds = 90

/** Maximum duration of the rounds of one check, in milliseconds. */
const maxRoundsMs = 3_000

/** Number of rounds that a slow shop must complete. */
const minRounds = 4

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** Checks that send different requests concurrently, in many rounds. */
export const checks: readonly Check[] = define(common, {
  'customers.stay-separate-at-the-same-time': {
    title:
      'If two customers read their data and add products concurrently, each response has the data of its customer, and each addition takes effect once.',
    requirements: ['CUSTOMER-2', 'STATE-3', 'STATE-6'],
    async run(t) {
      const emails = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')]
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      const before = [await readSubscription(t, emails[0] ?? ''), await readSubscription(t, emails[1] ?? '')]
      await forRounds(async (round) => {
        const calls = emails.flatMap((email, which) => {
          const read: ConcurrentCall = { name: 'getSubscription', input: { email } }
          return [read, withOwnKey('addProduct', { email, product_id, quantity: which + 1 }), read, read]
        })
        const mixed = calls.map((_, index) => calls[(index * 3 + round) % calls.length] ?? calls[0]).filter(isCall)
        for (const [index, reply] of (await send(t, mixed)).entries()) {
          const call = mixed[index]
          if (call?.name !== 'getSubscription') t.accepted(reply, 'STATE-3')
          else expectOwn(t, reply, before[emails.indexOf(String(call.input['email']))])
        }
        for (const [which, email] of emails.entries()) {
          const had = before[which]
          const units = unitsOf(await readSubscription(t, email))
          t.equal(
            units,
            had && unitsOf(had) + which + 1,
            `total units of customer ${which + 1} in round ${round + 1}`,
            'STATE-3',
          )
        }
        const undos = emails.map((email) => withOwnKey('undoAddProduct', { email, product_id }))
        for (const reply of await send(t, undos)) t.accepted(reply, 'STATE-3')
      })
      for (const [which, email] of emails.entries())
        t.equal(await readSubscription(t, email), before[which], `the subscription of customer ${which + 1}`)
    },
  },
  'customers.read-their-own-data-at-the-same-time': {
    title: 'If customers read their data concurrently, each response has the data of its customer.',
    requirements: ['CUSTOMER-2', 'STATE-6'],
    mode: 'read-only',
    needs: [],
    async run(t) {
      const { subscribed, otherCustomer, cancelled } = t.profile.customers
      const emails = [cancelled, subscribed, otherCustomer].filter((email) => email !== undefined)
      const names = (['listCancelledSubscriptions', 'getSubscription', 'listProducts'] as const).filter((name) =>
        t.offered.includes(name),
      )
      const calls = names.flatMap((name) => emails.map((email): ConcurrentCall => ({ name, input: { email } })))
      await expectAsSingle(t, calls)
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
      const add = (product_id: string, more: object = {}) => withOwnKey('addProduct', { email, product_id, ...more })
      const lines = async () => (await readSubscription(t, email)).items
      const swapOf = (current_item_id: unknown, new_product_id: string) =>
        withOwnKey('swapProduct', { email, current_item_id, new_product_id })
      const other = place === 0 ? before.items.length - 1 : 0
      const otherLine = before.items[other]
      const otherProduct = t.profile.products.listed.find(({ id }) => id === otherLine?.id)
      if (otherLine !== undefined && otherProduct !== undefined && other !== place) {
        const more = { ...otherLine, quantity: otherLine.quantity + 2 }
        const expected = quantitiesOf(before.items.with(place, { ...item, title: target.title }).with(other, more))
        const undoOther = () => withOwnKey('undoAddProduct', { email, product_id: otherProduct.id })
        await forRounds(async (round) => {
          for (const reply of await send(t, [swapOf(item.id, target.id), add(otherProduct.id, { quantity: 2 })]))
            t.accepted(reply, 'STATE-3')
          t.equal(quantitiesOf(await lines()), expected, `the lines after a swap and an addition in round ${round + 1}`)
          for (const reply of await send(t, [swapOf((await lines())[place]?.id, product.id), undoOther()]))
            t.accepted(reply, 'STATE-3')
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
      const { email, before, ownedProduct } = await arrange(t)
      const product_id = ownedProduct().product.id
      await forRounds(async (round) => {
        for (const reply of await send(t, [withOwnKey('addProduct', { email, product_id })])) t.accepted(reply, 'ADD-1')
        const undos = [1, 2].map(() => withOwnKey('undoAddProduct', { email, product_id }))
        const replies = await send(t, undos)
        const done = replies.filter(({ status }) => status === 200)
        t.equal(done.length, 1, `the number of successful undos of one addition in round ${round + 1}`)
        t.equal(
          unitsOf(await readSubscription(t, email)),
          unitsOf(before),
          'total units after two undos of one addition',
        )
      })
    },
  },
  'state.responds-to-many-requests-at-the-same-time': {
    title: 'The shop responds to 24 concurrent requests to all endpoints as to single requests.',
    requirements: ['STATE-6', 'CUSTOMER-2'],
    needs: [],
    async run(t) {
      const { unknown: _, ...customers } = t.profile.customers
      const emails = Object.values(customers).filter((email) => email !== undefined)
      const calls = Array.from({ length: manyRequests }, (_value, index): ConcurrentCall => {
        const name = t.offered[index % t.offered.length] ?? t.skip('the shop offers no endpoints')
        const email = emails[index % (emails.length || 1)]
        const isRead = endpoints[name].method === 'GET' && name !== 'getDiscount' && email !== undefined
        return { name, input: isRead ? { email } : harmlessInput(t, name) }
      }).filter(({ name }) => t.maySend(endpoints[name].method))
      await expectAsSingle(t, calls)
    },
  },
})

/** Sends requests one after another and then concurrently, in several rounds. Expects the same responses. */
async function expectAsSingle(t: CheckContext, calls: readonly ConcurrentCall[]): Promise<void> {
  const single: Reply[] = []
  for (const { name, input } of calls) single.push(await t.call(name, input))
  for (let round = 0; round < minRounds; round++) {
    for (const [index, reply] of (await send(t, calls)).entries()) {
      t.equal(reply.status, single[index]?.status, 'the status of the single request', reply)
      t.equal(reply.json, single[index]?.json, 'the body of the single request', reply, 'CUSTOMER-2')
    }
  }
}

/** Sends a delay by one day and an addProduct request concurrently, until another subscription of the customer is billed first. */
async function delayWhileAdding(t: CheckContext): Promise<void> {
  const { email, before, ownedProduct } = await arrange(t, customerOf(t, 'otherCustomer'))
  const add = { email, product_id: ownedProduct().product.id }
  for (let delays = 0; delays < maxDelays; delays++) {
    const { next_billing_date } = await readSubscription(t, email)
    const new_date = addDays(next_billing_date, 1)
    const changes = [withOwnKey('addProduct', add), withOwnKey('delaySubscription', { email, new_date })]
    for (const reply of await send(t, changes)) t.accepted(reply, 'STATE-3')
    const after = await readSubscription(t, email)
    for (const reply of await send(t, [withOwnKey('undoAddProduct', add)])) t.accepted(reply, 'STATE-3')
    // If the shop delays first, the product is added to the subscription that is current then.
    const isKnownDate = [next_billing_date, new_date].includes(after.next_billing_date)
    if (!isKnownDate || !isDeepStrictEqual(titlesOf(after.items), titlesOf(before.items))) return
    const expected = [new_date, unitsOf(before) + 1]
    t.equal([after.next_billing_date, unitsOf(after)], expected, 'the date and the total units')
  }
}

const manyRequests = 24

/** Number of delays by one day, since a delay cannot be undone. */
const maxDelays = 3

/** Repeats a round until the maximum number or the maximum duration is reached. */
async function forRounds(run: (round: number) => Promise<void>): Promise<void> {
  const end = performance.now() + maxRoundsMs
  for (let round = 0; round < maxRounds && (round < minRounds || performance.now() < end); round++) {
    await run(round)
  }
}

function withOwnKey(name: EndpointName, input: ConcurrentCall['input']): ConcurrentCall {
  return { name, input, headers: { 'Idempotency-Key': crypto.randomUUID() } }
}

/**
 * Sends requests concurrently. Repeats a request that the shop rejects because another change is still running. Fails
 * for any other server error.
 */
async function send(t: CheckContext, calls: readonly ConcurrentCall[]): Promise<readonly Reply[]> {
  const replies = [...(await t.concurrently(calls))]
  for (const [index, { name, input, headers }] of calls.entries()) {
    const reply = replies[index]
    const mustWait =
      reply?.status === 503 && reply.header('Retry-After') !== undefined && errorCodeOf(reply) === 'request_in_progress'
    if (reply === undefined || !mustWait) continue
    replies[index] = await t.call(name, input, { headers })
  }
  for (const reply of replies) t.ok(reply.status < 500, 'a status below 500 for concurrent requests', reply, 'STATE-6')
  return replies
}

/** Expects the subscription of the customer of a read, before or after the addition of the round. */
function expectOwn(t: CheckContext, reply: Reply, own: CurrentSubscription | undefined): void {
  const read = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
  t.equal(read.next_billing_date, own?.next_billing_date, "the date of the customer's own subscription", reply)
  const titles = read.items.map(({ title }) => title)
  const isOwn = own?.items.every(({ title }) => titles.includes(title)) === true
  t.ok(isOwn && titles.length <= (own?.items.length ?? 0) + 1, "the customer's own lines", reply)
}

function isCall(call: ConcurrentCall | undefined): call is ConcurrentCall {
  return call !== undefined
}
