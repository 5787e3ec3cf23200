import type { EndpointName } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import { arrange, quantitiesOf, readSubscription, skipIfSentToday, unitsOf } from '../steps/customers.ts'

/** A form of a duplicate click, which consists of two requests. */
interface Form {
  readonly name: string
  /**
   * Time between the two requests, in milliseconds. If `undefined`, the second request is sent after the first
   * response.
   */
  readonly apartMs?: number
  readonly hasKey: boolean
  /** The requirement that fails if the click takes effect twice. */
  readonly requirement: RequirementId
}

const forms: readonly [Form, ...Form[]] = [
  { name: 'concurrently', apartMs: 0, hasKey: false, requirement: 'RETRY-4' },
  { name: 'after the response, with a key', hasKey: true, requirement: 'RETRY-5' },
  { name: '2 ms apart', apartMs: 2, hasKey: false, requirement: 'RETRY-4' },
  { name: 'concurrently, with a key', apartMs: 0, hasKey: true, requirement: 'RETRY-14' },
  { name: 'after the response', hasKey: false, requirement: 'RETRY-1' },
  { name: '2 ms apart, with a key', apartMs: 2, hasKey: true, requirement: 'RETRY-14' },
]

/** Number of trials that detects a defect in one of ten clicks with a probability of 99 %: 1 − 0.9^44. */
const trialsWanted = 44

/**
 * Maximum duration of the trials of one check, in milliseconds. It applies to slow shops and to shops that limit
 * requests.
 */
const maxTrialsMs = 30_000

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs, requires: ['retries'] }

/** Checks that repeat clicks many times, in every form of a duplicate click. */
export const checks: readonly Check[] = define(common, {
  'addProduct.counts-each-click-once': {
    title:
      'An addProduct or undoAddProduct request that is sent twice takes effect once. The repeat is concurrent, 2 ms later or after the response, with and without an `Idempotency-Key`.',
    requirements: ['RETRY-4', 'RETRY-1', 'RETRY-5', 'RETRY-14', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { id: product_id } = newProduct()
      const available = t.profile.products.listed.find(({ id }) => id === product_id)?.available ?? Infinity
      // If a click takes effect twice, the customer has one unit from the first request and `most` units from each of
      // two requests.
      const most = Math.min(4, Math.floor((available - 1) / 2))
      if (most < 1) t.skip(`the profile allows only ${available} units of ${product_id}`)
      // Adds one unit first: an undo that takes effect twice would also undo this addition. A request with its own key
      // is not a repeat.
      const ownKey = () => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } })
      t.accepted(await t.call('addProduct', { email, product_id }, ownKey()), 'ADD-1')
      await forEachForm(async (form, trial) => {
        const quantity = most === 1 ? 1 : 2 + (trial % (most - 1))
        const add = { email, product_id, quantity }
        await repeatClick(t, 'addProduct', add, form)
        await expectUnits(t, email, unitsOf(before) + 1 + quantity, form)
        await repeatClick(t, 'undoAddProduct', { email, product_id }, form)
        await expectUnits(t, email, unitsOf(before) + 1, form)
      })
      t.accepted(await t.call('undoAddProduct', { email, product_id }, ownKey()), 'UNDO-1')
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
  'swapProduct.counts-each-click-once': {
    title:
      'A swapProduct request that is sent twice takes effect once. The repeat is concurrent, 2 ms later or after the response, with and without an `Idempotency-Key`.',
    requirements: ['RETRY-4', 'RETRY-1', 'RETRY-5', 'RETRY-14', 'SWAP-1'],
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      await forEachForm(async (form) => {
        for (const { id, title } of [target, product]) {
          const { items } = await readSubscription(t, email)
          const swap = { email, current_item_id: items[place]?.id, new_product_id: id }
          await repeatClick(t, 'swapProduct', swap, form)
          const expected = quantitiesOf(before.items.with(place, { ...item, title }))
          const lines = quantitiesOf((await readSubscription(t, email)).items)
          t.equal(lines, expected, `the lines after a swap that was sent twice ${form.name}`, form.requirement)
        }
      }, trialsWanted / 2)
    },
  },
  'addProduct.keeps-concurrent-adds': {
    title:
      'Two different addProduct requests that are sent concurrently for one customer both take effect, for recurring and for one-time lines.',
    requirements: ['STATE-3', 'ADD-1'],
    requires: [],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      for (let round = 0; round < 10; round++) {
        const calls = [1, 2].map((quantity) => ({
          name: 'addProduct' as const,
          input: { email, product_id, quantity, one_time: round % 2 === 1 },
          headers: { 'Idempotency-Key': crypto.randomUUID() },
        }))
        for (const reply of await t.concurrently(calls)) t.accepted(reply)
        t.equal(
          unitsOf(await readSubscription(t, email)),
          unitsOf(before) + 3,
          'total units after two addProduct requests',
        )
        for (const { headers } of calls) {
          const undo = { 'Idempotency-Key': `undo-${headers['Idempotency-Key']}` }
          t.accepted(await t.call('undoAddProduct', { email, product_id }, { headers: undo }), 'UNDO-1')
        }
      }
      t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
    },
  },
})

/** Runs trials with each form in turn, until the number of trials or the maximum duration is reached. */
export async function forEachForm(
  run: (form: Form, trial: number) => Promise<void>,
  wanted: number = trialsWanted,
): Promise<void> {
  const end = performance.now() + maxTrialsMs
  for (let trial = 0; trial < wanted && (trial < forms.length || performance.now() < end); trial++) {
    await run(forms[trial % forms.length] ?? forms[0], trial)
  }
}

/** The requirement that fails if neither of the two requests succeeds, by endpoint. */
const effects: Partial<Record<EndpointName, RequirementId>> = {
  addProduct: 'ADD-1',
  undoAddProduct: 'UNDO-1',
  swapProduct: 'SWAP-1',
}

/** Sends a click twice and expects success for both requests. */
export async function repeatClick(
  t: CheckContext,
  name: EndpointName,
  input: Readonly<Record<string, unknown>>,
  form: Form,
): Promise<void> {
  const headers = form.hasKey ? { 'Idempotency-Key': crypto.randomUUID() } : {}
  const replies =
    form.apartMs === undefined
      ? [await t.call(name, input, { headers }), await t.call(name, input, { headers })]
      : await t.concurrently(
          [0, form.apartMs].map(() => ({ name, input, headers })),
          [0, form.apartMs],
        )
  if (replies.every(({ status }) => status !== 200))
    t.accepted(replies[0] ?? t.skip('no request was sent'), effects[name])
  for (const reply of replies) {
    const again = isPending(reply, form.hasKey) ? await t.call(name, input, { headers }) : reply
    t.ok(again.status === 200, `status 200 for each request, sent twice ${form.name}`, again, form.requirement)
  }
  t.tried(name)
}

/**
 * Sends a click three times within 2 ms, and expects success for each request. With a key, `request_in_progress` is
 * also accepted.
 *
 * Fails `requirement` if every request is rejected. Skips the check if an order was already sent today.
 */
export async function burstClick(
  t: CheckContext,
  name: EndpointName,
  input: Readonly<Record<string, unknown>>,
  requirement: RequirementId,
  headers?: Readonly<Record<string, string>>,
): Promise<void> {
  const call = { name, input, headers }
  const replies = await t.concurrently([call, call, call], [0, 0, 2])
  const [first = t.skip('no request was sent')] = replies
  if (name === 'sendNow') skipIfSentToday(t, replies)
  if (replies.every(({ status }) => status !== 200)) t.accepted(first, requirement)
  const others = replies.filter((reply) => !isPending(reply, headers !== undefined))
  for (const reply of others) t.accepted(reply, headers === undefined ? 'RETRY-4' : 'RETRY-14')
  t.tried(name)
}

/** Returns whether the shop rejected a request because another request with the same key is still running. */
function isPending(reply: Reply, hasKey: boolean): boolean {
  return hasKey && errorCodeOf(reply) === 'request_in_progress'
}

async function expectUnits(t: CheckContext, email: string, units: number, { name, requirement }: Form): Promise<void> {
  const found = unitsOf(await readSubscription(t, email))
  t.equal(found, units, `total units after a click that was sent twice ${name}`, requirement)
}
