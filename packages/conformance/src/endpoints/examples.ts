import type { CurrentSubscription, Discount, EndpointName, ErrorCode, Product } from '@storeport/core'
import type { Check, CheckContext, Input } from '../engine/check.ts'
import { CheckSkip } from '../engine/check-end.ts'
import type { RequirementId } from '../engine/requirement.ts'
import type { Reply } from '../http/reply.ts'
import {
  arrange,
  type CustomerName,
  customerOf,
  expectDone,
  expectReduced,
  findSubscription,
  linesOf,
  newItems,
  readSubscription,
  snapshot,
} from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'

/** A product of an example: `fresh` and `other` are not in the subscription, and `owned` is one of its items. */
type Which = 'fresh' | 'other' | 'owned'

/** The customer of an example, the subscription before the first step, and the products of the steps. */
export interface Scene {
  readonly t: CheckContext
  readonly email: string
  readonly before: CurrentSubscription
  product(which: Which): Product
}

/** A request or an expectation of an example. */
type Step = (scene: Scene) => Promise<void>

/** Runs the steps of an example for `customers.subscribed` or another customer with a subscription. */
export function example(
  steps: readonly Step[] | ((t: CheckContext) => readonly Step[]),
  customer?: (t: CheckContext) => Promise<string>,
): Check['run'] {
  return async (t) => {
    const { email, before, products, newProduct, ownedProduct } = await arrange(t, await customer?.(t))
    const product = (which: Which): Product => {
      if (which === 'owned') return ownedProduct().product
      const fresh = newProduct()
      if (which === 'fresh') return fresh
      const others = products.filter(
        ({ id, title }) => id !== fresh.id && !before.items.some((one) => one.title === title),
      )
      return others[0] ?? t.skipUsed('every listed product except one is already an item of the current subscription')
    }
    for (const step of typeof steps === 'function' ? steps(t) : steps) await step({ t, email, before, product })
  }
}

/** Adds one unit of a product to the order, with further fields. */
export function add(which: Which, fields: Input = {}, code?: ErrorCode, id: RequirementId = 'ADD-1') {
  return request('addProduct', id, code, ({ email, product }) => ({ email, product_id: product(which).id, ...fields }))
}

/** Undoes the last addition of a product, or expects a rejection with a code. */
export function undo(which: Which, code?: ErrorCode, id?: RequirementId): Step {
  return request('undoAddProduct', id ?? (code === undefined ? 'UNDO-1' : 'UNDO-3'), code, ({ email, product }) => ({
    email,
    product_id: product(which).id,
  }))
}

/** Swaps the line of a product for another product. Prefers a line that the example has added. */
export function swapTo(from: Which, to: Which): Step {
  return request('swapProduct', 'SWAP-1', undefined, async ({ t, email, before, product }) => {
    const after = await readSubscription(t, email)
    const { title } = product(from)
    const line = [...newItems(before, after), ...after.items].find((item) => item.title === title)
    return {
      email,
      current_item_id: line?.id ?? t.skipUsed('no separate item was added'),
      new_product_id: product(to).id,
    }
  })
}

function request(
  name: EndpointName,
  requirement: RequirementId,
  code: ErrorCode | undefined,
  inputOf: (scene: Scene) => Input | Promise<Input>,
): Step {
  return async (scene) => {
    const reply = await scene.t.call(name, await inputOf(scene))
    if (code === undefined) expectDone(scene.t, reply, requirement)
    else scene.t.rejected(reply, code, requirement)
  }
}

/** Makes another change, so that the shop does not treat the next request as a repeat. */
export const otherChange: Step = ({ t, email }) => makeOtherChange(t, email)

/** Units of products: added to the item of `owned`, or of new lines of the other products and of one-time lines. */
interface Units extends Partial<Record<Which, number>> {
  readonly once?: Readonly<Partial<Record<Which, number>>>
}

/** Expects the lines from before the example with these changes. */
export function shows({ owned = 0, once = {}, ...fresh }: Units, requirement?: RequirementId): Step {
  return async ({ t, email, before, product }) => {
    const after = await readSubscription(t, email)
    const title = owned === 0 ? undefined : product('owned').title
    const items = before.items.map((item) =>
      item.title === title ? { ...item, quantity: item.quantity + owned } : item,
    )
    const lines = (['fresh', 'other', 'owned'] as const).flatMap((which) =>
      [which === 'owned' ? undefined : fresh[which], once[which]].flatMap((quantity) =>
        quantity === undefined ? [] : [{ title: product(which).title, price: product(which).price, quantity }],
      ),
    )
    const added = newItems({ ...before, items }, after)
    t.equal(linesOf(added), lines, 'the new lines', requirement)
    // A one-time line can change the id of the item of its product.
    const kept = after.items.filter((item) => !added.includes(item))
    const [one, other] = Object.keys(once).length === 0 ? [kept, items] : [linesOf(kept), linesOf(items)]
    t.equal(one, other, 'the existing items', requirement)
  }
}

/** Expects the subscription from before the example. */
export const isRestored: Step = async ({ t, email, before }) => {
  t.equal(await readSubscription(t, email), before, 'the subscription', 'UNDO-2')
}

/** Expects the discount of the next order to grow by a share of some units of a product, whose price stays the same. */
export function reduces(which: Which, units: number, requirement?: RequirementId): Step {
  return async ({ t, email, before, product }) => {
    const { discount } = percentageOf(t)
    const { title, price } = before.items.find((item) => item.title === product(which).title) ?? product(which)
    const after = await readSubscription(t, email)
    const percent = discount.discount_type === 'percentage' ? discount.discount_percentage : 0
    expectReduced(t, after, (price * units * percent) / 100, before)
    t.equal(after.items.find((item) => item.title === title)?.price, price, "the item's price", requirement)
  }
}

/** Returns inputs with product ids. */
export function idsOf(...ids: readonly string[]): readonly Input[] {
  return ids.map((product_id) => ({ product_id }))
}

/** Returns the id of a listed product. Skips the check if the profile has none. */
export function listedId({ profile, need }: CheckContext): string {
  return need(profile.products.listed[0], 'products.listed').id
}

/** Returns the id of the sold-out product of the profile. Skips the check if the profile has none. */
export function soldOut({ profile, need }: CheckContext): string {
  return need(profile.products.unavailable, 'products.unavailable')
}

/** Returns the percentage code of the profile. Skips the check if the profile has none. */
export function percentageOf(t: CheckContext): { readonly code: string; readonly discount: Discount } {
  return t.need(t.profile.discounts.percentage, 'discounts.percentage')
}

/**
 * Requests that the shop must reject: the requirement, the code, the customer, and the inputs without the customer. For
 * CUSTOMER-2, the first input has an id that does not exist, and the others have ids of other customers.
 */
type Rejection = readonly [
  requirement: RequirementId,
  code: ErrorCode,
  customer: CustomerName,
  inputs: (t: CheckContext) => readonly Input[] | Promise<readonly Input[]>,
]

/** Creates a check that sends the requests of each row. A row without data skips the check after the other rows. */
export function rejects(name: EndpointName, rows: readonly [Rejection, ...Rejection[]]) {
  const [[first], ...others] = rows
  const more = new Set(others.map(([requirement]) => requirement))
  more.delete(first)
  if (more.has('CUSTOMER-2')) more.add('PRIVACY-2')
  return {
    title: 'Each request that the shop cannot execute is rejected with the code for its reason, and changes nothing.',
    requirements: [first, ...more] as const,
    async run(t: CheckContext): Promise<void> {
      let missing: CheckSkip | undefined
      for (const [requirement, code, customer, inputsOf] of rows) {
        try {
          const email = customerOf(t, customer)
          const inputs = await inputsOf(t)
          const before = await snapshot(t, email)
          let absent: Reply | undefined
          for (const input of inputs) {
            const reply = await t.call(name, { email, ...input })
            t.rejected(reply, code, requirement)
            absent ??= reply
            if (requirement === 'CUSTOMER-2') expectSameResponse(t, reply, absent)
          }
          t.equal(await snapshot(t, email), before, "the customer's data", requirement)
        } catch (error) {
          if (!(error instanceof CheckSkip)) throw error
          missing ??= error
        }
      }
      if (missing !== undefined) throw missing
    },
  }
}

/** Expects the response for an id of another customer to be the response for an id that does not exist. */
export function expectSameResponse(t: CheckContext, reply: Reply, absent: Reply): void {
  t.equal(reply.status, absent.status, 'the status for an id that does not exist', reply, 'PRIVACY-2')
  t.equal(reply.json, absent.json, 'the body for an id that does not exist', reply, 'PRIVACY-2')
}

/** Returns inputs with the codes that the shop must reject. Some languages treat '0' as an empty string. */
export function invalidCodes({ profile, need }: CheckContext, input: Input): readonly Input[] {
  const expired = need(profile.discounts.expired, 'discounts.expired')
  return [profile.discounts.unknown, expired, '__proto__', '0'].map((discount_code) => ({ ...input, discount_code }))
}

/**
 * Returns the customer with an active subscription that other checks use least. A one-time line that was swapped remains
 * until the customer's next order.
 */
export async function leastUsedCustomer(t: CheckContext): Promise<string> {
  const { cancelled } = t.profile.customers
  const isActive = cancelled !== undefined && (await findSubscription(t, cancelled)) !== undefined
  return isActive ? cancelled : customerOf(t, 'subscribed')
}
