import { type Check, define, onceInAShop } from '../engine/check.ts'
import { requirements } from '../requests/retries.ts'
import { arrange, customerOf, perform, readSubscription, undoAdd, unitsOf } from '../shop/customers.ts'
import { named } from '../shop/repeats.ts'

/** The window in which a repeat without a key is the same click, in milliseconds. */
const windowMs = 10_000

/** Times of the repeats within the window: milliseconds after the click, and the latest time of the repeat. */
const repeats = [
  { at: 2_200, latest: 8_000 },
  { at: 9_000, latest: 9_600 },
] as const

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

/** Checks of whether two requests are the same click: their fields, keys, customers and times. */
export const checks: readonly Check[] = define({ ...onceInAShop, needs, requires: ['retries'] }, requirements, {
  'retries.with-a-key-belong-to-one-customer': {
    title:
      'The same addProduct request with the same `Idempotency-Key` takes effect for two customers, and a repeat for either changes nothing.',
    requirements: ['RETRY-11', 'RETRY-5'],
    layer: 'wire',
    async run(t) {
      const first = await arrange(t)
      const product_id = first.newProduct().id
      const customers = [first, await arrange(t, customerOf(t, 'otherCustomer'))]
      const key = named()
      for (const requirement of ['RETRY-11', 'RETRY-5'] as const) {
        for (const { email } of customers)
          t.accepted(await t.call('addProduct', { email, product_id }, key), requirement)
        for (const { expectUnits } of customers) await expectUnits(1, requirement)
      }
      for (const { email } of customers) await undoAdd(t, email, product_id)
    },
  },
  'retries.count-once-within-the-window': {
    title: 'A repeat of an addProduct request 2 s and 9 s later returns success and adds nothing.',
    requirements: ['RETRY-1'],
    isTimed: true,
    async run(t) {
      const { email, before, newProduct, expectUnits } = await arrange(t)
      const product_id = newProduct().id
      // A quantity that no other check sends, so that a shop with a longer window does not ignore the clicks of other
      // checks.
      const add = { email, product_id, quantity: 3 }
      const clicked = t.now()
      await perform(t, 'addProduct', add, 'ADD-1')
      let isOnTime = true
      for (const { at, latest } of repeats) {
        await t.waitUntil(clicked + at)
        isOnTime &&= t.now() <= clicked + latest
        const again = isOnTime && (await t.call('addProduct', add))
        isOnTime &&= t.now() - clicked < windowMs
        if (!isOnTime || again === false) break
        t.accepted(again)
        await expectUnits(3, 'RETRY-1', ` after a repeat ${Math.round(at / 1000)} s later`, again)
        t.tried('addProduct')
      }
      const undo = { email, product_id }
      t.accepted(await t.call('undoAddProduct', undo, named()), 'UNDO-1')
      // A late repeat is a new click.
      if (unitsOf(await readSubscription(t, email)) > unitsOf(before)) await t.call('undoAddProduct', undo, named())
      if (!isOnTime) t.skip('the shop responds too slowly for a repeat within 10 s')
    },
  },
  'retries.count-once-after-the-window': {
    title:
      'An addition can be undone 3 s later. A repeat of an addProduct request with the same `Idempotency-Key` 11 s later returns success and adds nothing.',
    requirements: ['RETRY-5', 'UNDO-1'],
    isTimed: true,
    async run(t) {
      const { email, newProduct, expectUnits } = await arrange(t, customerOf(t, 'otherCustomer'))
      const product_id = newProduct().id
      const key = named()
      const clicked = t.now()
      t.accepted(await t.call('addProduct', { email, product_id }, key), 'ADD-1')
      await t.waitUntil(clicked + 3_200)
      const undone = await t.call('undoAddProduct', { email, product_id }, named())
      t.accepted(undone, 'UNDO-1')
      await expectUnits(0, 'UNDO-1', ' after an undo 3 s after the addition', undone)
      await t.waitUntil(clicked + windowMs + 1_000)
      const again = await t.call('addProduct', { email, product_id }, key)
      t.accepted(again)
      await expectUnits(0, 'RETRY-5', ' after a repeat 11 s after the request', again)
      t.tried('addProduct')
    },
  },
})
