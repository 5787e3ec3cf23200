import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import type { Reply } from '../http/reply.ts'
import { arrange, customerOf, perform, readSubscription, unitsOf } from '../steps/customers.ts'

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs, requires: ['retries'] }

/** The window in which a repeat without a key is the same click, in milliseconds. */
const windowMs = 10_000

/** Times of the repeats within the window: milliseconds after the click, and the latest time of the repeat. */
const repeats = [
  { at: 2_200, latest: 8_000 },
  { at: 9_000, latest: 9_600 },
] as const

/** Checks that wait some seconds. */
export const checks: readonly Check[] = define(common, {
  'retries.count-once-within-the-window': {
    title: 'A repeat of an addProduct request 2 s and 9 s later returns success and adds nothing.',
    requirements: ['RETRY-1'],
    isTimed: true,
    async run(t) {
      if (!(await repeatWithinWindow(t))) t.skip('the shop responds too slowly for a repeat within 10 s')
    },
  },
  'retries.count-once-after-the-window': {
    title:
      'An addition can be undone 3 s later. A repeat of an addProduct request with the same `Idempotency-Key` 11 s later returns success and adds nothing.',
    requirements: ['RETRY-5', 'UNDO-1'],
    isTimed: true,
    async run(t) {
      const { email, newProduct } = await arrange(t, customerOf(t, 'otherCustomer'))
      const product_id = newProduct().id
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const clicked = t.now()
      t.accepted(await t.call('addProduct', { email, product_id }, { headers }), 'ADD-1')
      await t.waitUntil(clicked + 3_200)
      const added = await readSubscription(t, email)
      const undone = await undoWithKey(t, { email, product_id })
      const units = unitsOf(await readSubscription(t, email))
      t.accepted(undone, 'UNDO-1')
      t.equal(units, unitsOf(added) - 1, 'total units after an undo 3 s after the addition', undone, 'UNDO-1')
      await t.waitUntil(clicked + windowMs + 1_000)
      const before = await readSubscription(t, email)
      const again = await t.call('addProduct', { email, product_id }, { headers })
      t.accepted(again)
      const after = unitsOf(await readSubscription(t, email))
      t.equal(after, unitsOf(before), 'total units after a repeat 11 s after the request', again)
      t.tried('addProduct')
    },
  },
})

/** Repeats an addition twice. Returns false if the repeats were late. */
async function repeatWithinWindow(t: CheckContext): Promise<boolean> {
  const { email, before, newProduct } = await arrange(t)
  // A quantity that no other check sends, so that a shop with a longer window does not ignore the clicks of other checks.
  const add = { email, product_id: newProduct().id, quantity: 3 }
  const clicked = t.now()
  await perform(t, 'addProduct', add, 'ADD-1')
  let isOnTime = true
  for (const { at, latest } of repeats) {
    await t.waitUntil(clicked + at)
    isOnTime = t.now() <= clicked + latest
    if (!isOnTime) break
    const again = await t.call('addProduct', add)
    isOnTime = t.now() - clicked < windowMs
    if (!isOnTime) break
    t.accepted(again)
    const units = unitsOf(await readSubscription(t, email))
    t.equal(units, unitsOf(before) + add.quantity, `total units after a repeat ${Math.round(at / 1000)} s later`, again)
    t.tried('addProduct')
  }
  const undo = { email, product_id: add.product_id }
  t.accepted(await undoWithKey(t, undo), 'UNDO-1')
  // A late repeat is a new click.
  if (unitsOf(await readSubscription(t, email)) > unitsOf(before)) await undoWithKey(t, undo)
  return isOnTime
}

/** Undoes an addition with a new key, so that a shop with a longer window does not ignore the undos of other checks. */
function undoWithKey(t: CheckContext, input: Readonly<Record<string, unknown>>): Promise<Reply> {
  return t.call('undoAddProduct', input, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
}
