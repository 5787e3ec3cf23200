import type { ErrorCode } from '@storeport/core'
import { type Check, type CheckContext, type Common, type CheckRow, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type RequirementId, type Requirements } from '../engine/requirement.ts'
import { arrange, expectDone, readSubscription, unitsOf } from '../shop/customers.ts'
import { makeOtherChange, undoAll } from '../shop/changes.ts'
import { type Outcome, type Row, to } from './cases.ts'

const { should, countsTwice, losesChange } = about('retries')

export const requirements: Requirements = {
  'RETRY-1': countsTwice(
    'A request that is repeated within the retry window takes effect once, and each repeat returns success.',
    'Each repeat takes effect, for example when the caller sends a request again after a timeout.',
  ),
  'RETRY-2': losesChange(
    'The same request takes effect again if the customer made another change in between.',
    'Repeats are detected by content only, so adding a product again after an undo has no effect.',
  ),
  'RETRY-3': should('A rejected request is not stored, so a repeat runs again.', 'Rejections are stored as well.'),
  'RETRY-4': countsTwice(
    'A repeat of a request that is still running returns the same response.',
    'A click is stored only after it finishes, so two concurrent requests both take effect.',
  ),
  'RETRY-5': countsTwice(
    'The same request with the same `Idempotency-Key` takes effect once, even if other changes are made in between.',
    '`Idempotency-Key` is ignored.',
  ),
  'RETRY-6': losesChange(
    'A request with an `Idempotency-Key` that the customer used for another request returns 422 `idempotency_key_reused`.',
    'The body is not compared with the body of the first request.',
  ),
  'RETRY-7': losesChange(
    'Requests with different `Idempotency-Key` headers are different requests, even if everything else is the same.',
    'Requests are compared by content, even if their keys differ.',
  ),
  'RETRY-8': should(
    'An `Idempotency-Key` has 1–255 visible ASCII characters, quoted or unquoted. A request with any other key returns 400 `invalid_request`.',
    'The length and the characters of the `Idempotency-Key` are not validated.',
  ),
  'RETRY-9': should('A rejected request does not use up its `Idempotency-Key`.', 'Rejections are stored as well.'),
  'RETRY-10': losesChange(
    'An `Idempotency-Key` applies to one endpoint. At another endpoint, the same value is a new key.',
    'The stored key does not include the endpoint.',
  ),
  'RETRY-11': losesChange(
    'The same request for another customer is a different request, even with the same `Idempotency-Key`.',
    'The comparison of requests ignores the customer.',
  ),
}

/** A request of a customer, and the number of added units after it. */
interface Step {
  /** Fields of an addition, which is an addition of the new product by default; `undefined` for an undo. */
  readonly add?: Readonly<Record<string, unknown>>
  /** Name of the `Idempotency-Key`, which has another value in each run. */
  readonly key?: string
  /** Whether the customer makes another change before the request. */
  readonly isLater?: boolean
  /** Error code of the rejection. */
  readonly code?: ErrorCode
  /** Requirement that fails if the request is rejected; defaults to the first requirement of the check. */
  readonly requirement?: RequirementId
  readonly units: number
}

/** A check that sends requests one after the other, and then undoes the additions that are left. */
function sequence(
  ids: Check['requirements'],
  stepsOf: (t: CheckContext, email: string, ownedProduct: () => string) => readonly Step[],
): CheckRow {
  return {
    requirements: ids,
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const product_id = newProduct().id
      const run = crypto.randomUUID()
      const left: string[] = []
      let last = 0
      for (const step of stepsOf(t, email, () => ownedProduct().product.id)) {
        const { add, key, isLater = false, code, requirement, units } = step
        if (isLater) await makeOtherChange(t, email)
        const headers = key === undefined ? {} : { 'Idempotency-Key': key.replace(/\w+/, (name) => `${run}-${name}`) }
        const input = { ...add, email: add?.['email'] ?? email, product_id: add?.['product_id'] ?? product_id }
        const reply = await t.call(add === undefined ? 'undoAddProduct' : 'addProduct', input, { headers })
        if (code === undefined) expectDone(t, reply, requirement)
        else t.rejected(reply, code, requirement)
        const added = unitsOf(await readSubscription(t, email)) - unitsOf(before)
        if (added > last) left.unshift(String(input.product_id))
        if (added < last) left.shift()
        last = added
        t.equal(added, units, 'added units', code === undefined ? requirement : 'STATE-2')
      }
      await undoAll(t, email, left)
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  }
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const
const common: Common = { mode: 'write', layer: 'wire', needs }

const invalidKey: Outcome = (t, reply) => {
  const isAccepted = errorCodeOf(reply) === 'customer_not_found'
  t.ok(!isAccepted, '400 invalid_request, because the Idempotency-Key is invalid', reply, 'RETRY-8')
  t.rejected(reply, 'invalid_request')
}

const withKeys = (keys: readonly string[], outcome: Outcome) =>
  keys.map((key): Row => ({ headers: { 'Idempotency-Key': key }, outcome, requirement: 'RETRY-8' }))

const needsGuard = define({ ...common, requires: ['retries'] }, requirements, {
  'retries.take-effect-once': sequence(['RETRY-1'], (_t, email) => [
    { add: { quantity: 2 }, units: 2 },
    { add: { quantity: 2 }, units: 2 },
    // The same request with other fields first.
    { add: { product_id: undefined, email: undefined, quantity: 2 }, units: 2 },
    // The same request in another notation: explicit defaults, upper-case email address.
    { add: { one_time: false, discount_code: null, email: email.toUpperCase(), quantity: 2 }, units: 2 },
    { units: 0 },
    { units: 0 },
  ]),
  'retries.with-a-key-stay-stored': {
    ...sequence(['RETRY-5'], () => [
      { add: {}, key: 'a', units: 1 },
      { add: {}, key: 'a', units: 1 },
      { add: {}, key: '"a"', units: 1, isLater: true },
      ...[1, 2, 3, 4, 5, 6].flatMap((pair) => [
        { add: {}, key: `add${pair}`, requirement: 'RETRY-7' as const, units: 2 },
        { key: `undo${pair}`, requirement: 'UNDO-1' as const, units: 1 },
      ]),
      { add: {}, key: 'a', units: 1 },
    ]),
    title: 'A request with an `Idempotency-Key` takes effect once, even after twelve requests with other keys.',
  },
  'retries.with-a-key-belong-to-one-request': {
    ...sequence(['RETRY-6', 'STATE-2'], ({ profile: { discounts } }) => [
      { add: { quantity: 2 }, key: 'a', units: 2 },
      ...[{}, { quantity: 2, one_time: true }, { quantity: 2, discount_code: discounts.percentage?.code ?? 'x' }].map(
        (add): Step => ({ add, key: 'a', code: 'idempotency_key_reused', units: 2 }),
      ),
    ]),
    title:
      'A request with a used `Idempotency-Key` returns 422 `idempotency_key_reused`, even if only the quantity, the `one_time` flag or the discount code differs.',
  },
  'retries.compare-the-whole-key': {
    // Each key has 255 characters.
    ...sequence(['RETRY-7'], () =>
      ['a', 'b', 'B'].map((end, others) => ({ add: {}, key: `${'-'.repeat(217)}${end}`, units: others + 1 })),
    ),
    title:
      'Two `Idempotency-Key` values of 255 characters are different keys, even if only their last character or its letter case differs.',
  },
  'retries.with-a-key-succeed-after-a-rejection': sequence(['RETRY-9', 'RETRY-10'], () => [
    { key: 'a', code: 'product_not_in_order', requirement: 'UNDO-3', units: 0, isLater: true },
    { add: {}, key: 'a', requirement: 'RETRY-10', units: 1 },
    { key: 'a', units: 0 },
  ]),
  'retries.reject-an-invalid-key': {
    ...to('addProduct')(['RETRY-8'], 'valid', () => [
      ...withKeys(['x'.repeat(256), 'two words', 'é', '""'], invalidKey),
      ...withKeys(['x'.repeat(255), '!', '"quoted"'], 'valid'),
    ]),
    mode: 'read-only',
    needs: ['addProduct'],
  },
})

const general = define(common, requirements, {
  'retries.distinguish-requests': sequence(['RETRY-2', 'ADD-1'], (_t, _email, ownedProduct) => [
    { add: { quantity: 1 }, units: 1 },
    { add: { quantity: 2 }, units: 3 },
    { add: { quantity: 2, one_time: true }, units: 5 },
    { add: { quantity: 2, one_time: true, product_id: ownedProduct() }, units: 7 },
  ]),
  'retries.take-effect-again-after-another-change': sequence(['RETRY-2', 'ADD-1'], () => [
    { add: {}, units: 1 },
    { add: {}, units: 2, isLater: true },
  ]),
})

export const checks: readonly Check[] = [...needsGuard, ...general]
