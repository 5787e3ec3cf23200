import { addDays } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { laterDate, undoAll } from '../steps/changes.ts'
import { arrange, readSubscription, undoAdd, unitsOf } from '../steps/customers.ts'

const common: Common = {
  mode: 'write',
  layer: 'shop',
  needs: ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'],
  requires: ['retries'],
}

/** Number of other keys after which a key must still be stored. */
const otherKeys = 12

/** Checks of whether two requests are the same click: their fields and their keys. */
export const checks: readonly Check[] = define(common, {
  'retries.ignore-the-sequence-of-fields': {
    title: 'A repeat of an addProduct request adds nothing, even if its fields are in another sequence.',
    requirements: ['RETRY-1'],
    async run(t) {
      const { email, product_id, expectUnits } = await arrangeUnits(t)
      await t.call('addProduct', { email, product_id, quantity: 2 })
      await expectUnits(2, 'ADD-1')
      t.accepted(await t.call('addProduct', { quantity: 2, product_id, email }))
      await expectUnits(2, 'RETRY-1')
      await undoAdd(t, email, product_id)
    },
  },
  'retries.compare-the-whole-key': {
    title:
      'Two `Idempotency-Key` values of 255 characters are different keys, even if only their last character or its letter case differs.',
    requirements: ['RETRY-7'],
    async run(t) {
      const { email, product_id, expectUnits } = await arrangeUnits(t)
      const start = crypto.randomUUID().padEnd(254, '-')
      const keys = ['a', 'b', 'B'].map((end) => start + end)
      for (const [others, key] of keys.entries()) {
        t.accepted(await t.call('addProduct', { email, product_id }, named(key)))
        await expectUnits(others + 1, 'RETRY-7')
      }
      await undoAll(
        t,
        email,
        keys.map(() => product_id),
      )
    },
  },
  'retries.store-many-keys': {
    title: `A request with an \`Idempotency-Key\` takes effect once, even after ${otherKeys} requests with other keys.`,
    requirements: ['RETRY-5'],
    async run(t) {
      const { email, product_id, date, expectUnits } = await arrangeUnits(t)
      const key = crypto.randomUUID()
      t.accepted(await t.call('addProduct', { email, product_id }, named(key)))
      for (let others = 0; others < otherKeys; others++)
        await t.call('delaySubscription', { email, new_date: date }, named(crypto.randomUUID()))
      t.accepted(await t.call('addProduct', { email, product_id }, named(key)))
      await expectUnits(1, 'RETRY-5')
      await undoAdd(t, email, product_id)
    },
  },
  'retries.compare-every-field-with-a-key': {
    title:
      'A request with a used `Idempotency-Key` returns 422 `idempotency_key_reused`, even if only the quantity, the `one_time` flag or the discount code differs.',
    requirements: ['RETRY-6'],
    async run(t) {
      const { email, product_id, expectUnits } = await arrangeUnits(t)
      const { percentage, fixed } = t.profile.discounts
      const headers = named(crypto.randomUUID())
      const plain = { email, product_id, quantity: 2 }
      const withCode = { ...plain, discount_code: percentage?.code }
      const reply = await t.call('addProduct', withCode, headers)
      const isLimited = errorCodeOf(reply) === 'invalid_discount_code'
      const add = isLimited ? plain : withCode
      if (isLimited) t.accepted(await t.call('addProduct', add, headers), 'RETRY-9')
      else t.accepted(reply, 'ADD-1')
      const codes = isLimited ? [] : [undefined, fixed?.code].filter((code) => code !== percentage?.code)
      const others = [{ quantity: 1 }, { one_time: true }, ...codes.map((discount_code) => ({ discount_code }))]
      for (const other of others) {
        t.rejected(await t.call('addProduct', { ...add, ...other }, headers), 'idempotency_key_reused')
        await expectUnits(2, 'RETRY-6')
      }
      await undoAdd(t, email, product_id)
    },
  },
})

/** Chooses a customer, a product that the customer does not have, and a date to which a delay changes nothing. */
async function arrangeUnits(t: CheckContext) {
  const { email, before, newProduct } = await arrange(t)
  return {
    email,
    product_id: newProduct().id,
    date: laterDate(before.next_billing_date, addDays(t.today, 1)),
    /** Expects a number of units more than before the check. */
    async expectUnits(more: number, requirement: RequirementId): Promise<void> {
      t.equal(unitsOf(await readSubscription(t, email)), unitsOf(before) + more, 'total units', requirement)
    },
  }
}

function named(key: string) {
  return { headers: { 'Idempotency-Key': key } }
}
