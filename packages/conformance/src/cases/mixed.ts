import { isDeepStrictEqual } from 'node:util'
import { addDays, CurrentSubscription, endpoints } from '@storeport/core'
import { type Check, type CheckContext, type Common, type ConcurrentCall, define, onTheWire } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  customerOf,
  emailsOf,
  linesOf,
  quantitiesOf,
  readSubscription,
  titlesOf,
  unitsOf,
} from '../shop/customers.ts'
import { harmlessInput } from '../shop/inputs.ts'
import { forRounds, sendTogether, withOwnKey } from '../shop/repeats.ts'

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** Checks that send different requests concurrently, in many rounds. */
const inRounds = define(
  common,
  {},
  {
    'customers.stay-separate-at-the-same-time': {
      title:
        'If two customers read their data, add products, or delay to their present dates concurrently, each response has the data of its customer, and each change applies only to its customer.',
      requirements: ['CUSTOMER-2', 'STATE-3', 'STATE-6'],
      async run(t) {
        const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
        const customers = [customerOf(t, 'subscribed'), customerOf(t, 'otherCustomer')].map((email, index) => {
          const add = () => withOwnKey('addProduct', { email, product_id, quantity: index + 1 })
          const undo = () => withOwnKey('undoAddProduct', { email, product_id })
          return { email, name: `customer ${index + 1}`, units: index + 1, add, undo }
        })
        const before = new Map<unknown, CurrentSubscription>()
        const delays: ConcurrentCall[] = []
        for (const { email } of customers) {
          const subscription = await readSubscription(t, email)
          before.set(email, subscription)
          const input = { email, new_date: subscription.next_billing_date }
          if (t.offered.includes('delaySubscription') && input.new_date > t.today)
            delays.push({ name: 'delaySubscription', input })
        }
        await forRounds(async (round) => {
          const calls = customers.flatMap(({ email, add }) => {
            const read: ConcurrentCall = { name: 'getSubscription', input: { email } }
            return [read, add(), read, read]
          })
          const mixed = [...calls.slice(round % calls.length), ...calls.slice(0, round % calls.length)]
          for (const [index, reply] of (await sendTogether(t, mixed)).entries()) {
            if (mixed[index]?.name === 'addProduct') t.accepted(reply, 'STATE-3')
            else expectOwn(t, reply, before.get(mixed[index]?.input['email']))
          }
          for (const { email, name, units } of customers) {
            const had = before.get(email)
            const what = `total units of ${name} in round ${round + 1}`
            t.equal(unitsOf(await readSubscription(t, email)), had && unitsOf(had) + units, what, 'STATE-3')
          }
          const changes = [...customers.map(({ undo }) => undo()), ...delays]
          for (const [index, reply] of (await sendTogether(t, changes)).entries())
            t.accepted(reply, changes[index]?.name === 'undoAddProduct' ? 'STATE-3' : 'CUSTOMER-2')
        })
        for (const { email, name } of customers)
          t.equal(await readSubscription(t, email), before.get(email), `the subscription of ${name}`)
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
          const add = () => withOwnKey('addProduct', { email, product_id, quantity: 2 })
          const undo = () => withOwnKey('undoAddProduct', { email, product_id })
          await forRounds(async (round) => {
            const swapped = await sendTogether(t, [await swapTo(target.id), add()])
            for (const reply of swapped) t.accepted(reply, 'STATE-3')
            t.equal(
              quantitiesOf(await lines()),
              expected,
              `the lines after a swap and an addition in round ${round + 1}`,
            )
            const reversed = await sendTogether(t, [await swapTo(product.id), undo()])
            for (const reply of reversed) t.accepted(reply, 'STATE-3')
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
          for (const reply of await sendTogether(t, [withOwnKey('addProduct', click)])) t.accepted(reply, 'ADD-1')
          const replies = await sendTogether(
            t,
            [1, 2].map(() => withOwnKey('undoAddProduct', click)),
          )
          const done = replies.filter(({ status }) => status === 200)
          t.equal(done.length, 1, `the number of successful undos of one addition in round ${round + 1}`)
          await expectUnits(0, 'STATE-5', ' after two undos of one addition')
        })
      },
    },
  },
)

const reads = define(
  onTheWire,
  {},
  {
    'state.responds-to-many-requests-at-the-same-time': {
      title: 'The shop responds to 24 or more concurrent requests of all customers as to single requests.',
      requirements: ['STATE-6', 'CUSTOMER-2'],
      layer: 'shop',
      async run(t) {
        const ofCustomers = t.offered.filter((name) => endpoints[name].method === 'GET' && name !== 'getDiscount')
        const own = emailsOf(t).flatMap((email) =>
          ofCustomers.map((name): ConcurrentCall => ({ name, input: { email } })),
        )
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
  },
)

export const checks: readonly Check[] = [...reads, ...inRounds]

/** Sends a delay by one day and an addProduct request concurrently, until another subscription of the customer is billed first. */
async function delayWhileAdding(t: CheckContext): Promise<void> {
  const { email, before, ownedProduct } = await arrange(t, customerOf(t, 'otherCustomer'))
  const add = { email, product_id: ownedProduct().product.id }
  // A delay cannot be undone.
  for (let delays = 0; delays < 3; delays++) {
    const { next_billing_date } = await readSubscription(t, email)
    const new_date = addDays(next_billing_date, 1)
    const changes = [withOwnKey('addProduct', add), withOwnKey('delaySubscription', { email, new_date })]
    for (const reply of await sendTogether(t, changes)) t.accepted(reply, 'STATE-3')
    const after = await readSubscription(t, email)
    for (const reply of await sendTogether(t, [withOwnKey('undoAddProduct', add)])) t.accepted(reply, 'STATE-3')
    // If the shop delays first, the product is added to the subscription that is current then.
    const isKnownDate = [next_billing_date, new_date].includes(after.next_billing_date)
    if (!isKnownDate || !isDeepStrictEqual(titlesOf(after.items), titlesOf(before.items))) return
    const expected = [new_date, unitsOf(before) + 1]
    t.equal([after.next_billing_date, unitsOf(after)], expected, 'the date and the total units')
  }
}

/** Expects the subscription of the customer of a read, before or after the addition of the round. */
function expectOwn(t: CheckContext, reply: Reply, own: CurrentSubscription | undefined): void {
  const read = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
  t.equal(read.next_billing_date, own?.next_billing_date, "the date of the customer's own subscription", reply)
  const titles = titlesOf(read.items)
  const isOwn = own?.items.every(({ title }) => titles.includes(title)) === true
  t.ok(isOwn && titles.length <= own.items.length + 1, "the customer's own lines", reply)
}
