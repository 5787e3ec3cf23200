import { addDays, type CurrentSubscription, type EndpointName } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check.ts'
import {
  arrange,
  customerOf,
  perform,
  readCancelled,
  readSubscription,
  swapLine,
  titlesOf,
  undoAdd,
} from './customers.ts'
import { fieldsOf, harmlessInput } from './inputs.ts'

/** Endpoints that `makeOtherChange` uses. */
export const otherChangeNeeds = ['getSubscription', 'delaySubscription'] as const satisfies readonly EndpointName[]

/** Delays the current subscription. Makes another change first, so that the delay is no repeat. */
export async function delayTo(t: CheckContext, email: string, new_date: string): Promise<void> {
  await makeOtherChange(t, email)
  await perform(t, 'delaySubscription', { email, new_date }, 'DELAY-1')
}

/**
 * Makes a change, so that the shop does not treat the next request as a repeat: delays the subscription to its current
 * date, or to tomorrow if the shop rejects an earlier date. The checks of delaySubscription report a rejection of the delay.
 */
export async function makeOtherChange(t: CheckContext, email: string): Promise<void> {
  const { next_billing_date } = await readSubscription(t, email)
  const reply = await t.call('delaySubscription', { email, new_date: next_billing_date })
  const tomorrow = addDays(t.today, 1)
  if (reply.status !== 200 && next_billing_date < tomorrow)
    await t.call('delaySubscription', { email, new_date: tomorrow })
}

/** Undoes additions of products. Makes another change before each undo, so that the undo is no repeat. */
export async function undoAll(t: CheckContext, email: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await makeOtherChange(t, email)
    await undoAdd(t, email, id)
  }
}

/** Reads a subscription that was delayed to `new_date`, after delays of the other subscriptions that are billed earlier. */
export async function readDelayed(
  t: CheckContext,
  email: string,
  before: CurrentSubscription,
  new_date: string,
): Promise<CurrentSubscription> {
  for (let others = 0; others < 3; others++) {
    const current = await readSubscription(t, email)
    if (haveSameLines(current, before) || current.next_billing_date > new_date) return current
    await delayTo(t, email, addDays(new_date, 1))
    // Prevents the shop from treating the next delay to the same date as a repeat.
    await makeOtherChange(t, email)
  }
  return readSubscription(t, email)
}

/** Returns the later of two dates. */
export function laterDate(one: string, other: string): string {
  return one > other ? one : other
}

/**
 * Delays the current subscription of a customer until another subscription is current; defaults to `customers.subscribed`.
 * Returns both. One delay may have no visible effect, since a second subscription may have the same lines and the same date.
 */
export async function makeAnotherCurrent(t: CheckContext, email = customerOf(t, 'subscribed')) {
  let first = await readSubscription(t, email)
  let withoutEffect = 0
  for (let steps = 0; steps < maxSteps; steps++) {
    const new_date = addDays(first.next_billing_date, daysOfStep(steps) + withoutEffect)
    await delayTo(t, email, new_date)
    const current = await readSubscription(t, email)
    const { next_billing_date } = current
    const isSeen = next_billing_date === new_date || next_billing_date === first.next_billing_date
    if (!isSeen || !haveSameLines(current, first)) {
      return { email, delayed: { ...first, next_billing_date: new_date }, current }
    }
    if (withoutEffect > 0) t.equal(next_billing_date, new_date, 'next_billing_date', 'DELAY-1')
    if (next_billing_date !== new_date) withoutEffect += 1
    first = current
  }
  return t.skipUsed("the billing date of the customer's second subscription is too far in the future")
}

/** Delays the current subscription until another subscription is current that has a product of `items`. */
export async function makeCurrent(
  t: CheckContext,
  email: string,
  { items }: CurrentSubscription,
): Promise<CurrentSubscription> {
  const titles = titlesOf(items)
  for (let steps = 0; steps < maxSteps; steps++) {
    const current = await readSubscription(t, email)
    const isCurrent = current.items.some(({ title }) => titles.includes(title))
    if (isCurrent || !t.offered.includes('delaySubscription')) return current
    await delayTo(t, email, addDays(current.next_billing_date, daysOfStep(steps)))
  }
  return t.skipUsed("the subscription's billing date is too far in the future")
}

/** Maximum number of delays, more than ten years in total. */
const maxSteps = 65

/**
 * Returns the length of a delay in days: first 5, which is less than any billing interval, later 10 % more than before. A
 * single long delay would make every later run slower, since only an order resets a billing date.
 */
function daysOfStep(steps: number): number {
  return Math.round(steps < 14 ? 5 : 5 * 1.1 ** (steps - 13))
}

/** Reads data from the shop and builds the input of an action. */
type ReadInput = (t: CheckContext) => Promise<Record<string, unknown>>

const readers: Readonly<Partial<Record<EndpointName, ReadInput>>> = {
  addProduct: addOfNewProduct,
  undoAddProduct: addOfNewProduct,
  async sendNow(t) {
    // Prefers a customer whose daily order the checks of sendNow do not use. The customer may have no subscription.
    const { cancelled } = t.profile.customers
    const isActive = cancelled !== undefined && (await t.call('getSubscription', { email: cancelled })).status === 200
    return { email: isActive ? cancelled : customerOf(t, 'otherCustomer') }
  },
  async delaySubscription(t) {
    const email = customerOf(t, 'otherCustomer')
    const { next_billing_date } = await readSubscription(t, email)
    return { email, new_date: addDays(next_billing_date, 1) }
  },
  async swapProduct(t) {
    const start = await arrange(t)
    const { item } = start.ownedProduct()
    return { email: start.email, current_item_id: item.id, new_product_id: start.newProduct().id }
  },
  async reactivateSubscription(t) {
    // On disposable test data, leaves the cancelled subscription of `customers.otherCustomer` for later checks.
    const { otherCustomer } = t.profile.customers
    for (const email of [customerOf(t, 'cancelled'), t.farDates ? undefined : otherCustomer]) {
      // A rejected request must not move the last subscription to the beginning of the list.
      const last = email === undefined ? undefined : (await readCancelled(t, email)).at(-1)
      if (last !== undefined) return { email, subscription_id: last.subscription_id }
    }
    return t.skipUsed('no cancelled subscription is left', 'reactivateSubscription')
  },
  async runCustomAction(t) {
    const email = t.need(t.profile.customers.subscribed ?? t.profile.customers.empty, 'customers.subscribed')
    return { email, action_id: t.need(t.profile.actions.known, 'actions.known') }
  },
}

async function addOfNewProduct(t: CheckContext): Promise<Record<string, unknown>> {
  const { email, newProduct } = await arrange(t)
  return { email, product_id: newProduct().id }
}

/** Returns the endpoints that `effectiveInput` for an endpoint needs, including the endpoint itself. */
export function effectiveNeeds(name: EndpointName): readonly EndpointName[] {
  if (['addProduct', 'undoAddProduct', 'swapProduct'].includes(name)) return [name, 'getSubscription', 'listProducts']
  if (name === 'delaySubscription') return [name, 'getSubscription']
  return name === 'reactivateSubscription' ? [name, 'listCancelledSubscriptions'] : [name]
}

/** Returns an input for an existing customer. If the endpoint is an action, a request with this input takes effect. */
export async function effectiveInput(t: CheckContext, name: EndpointName): Promise<Record<string, unknown>> {
  const read = readers[name]
  if (read !== undefined) return read(t)
  const { subscribed } = t.profile.customers
  const input = harmlessInput(t, name)
  const namesCustomer = fieldsOf(name).some(([field]) => field === 'email')
  return namesCustomer && subscribed !== undefined ? { ...input, email: subscribed } : input
}

/** Returns the endpoints that `arrangeChange` and `makeOtherChange` need for an endpoint. */
export function changeNeeds(name: EndpointName): readonly EndpointName[] {
  const more: readonly EndpointName[] =
    name === 'undoAddProduct' ? ['addProduct'] : name === 'addProduct' ? ['undoAddProduct'] : []
  return [...new Set([...effectiveNeeds(name), ...otherChangeNeeds, ...more])]
}

/** Prepares the input of a change whose repetition would be visible, and similar inputs. */
export async function arrangeChange(t: CheckContext, name: EndpointName) {
  const input = await effectiveInput(t, name)
  const { email, product_id } = input
  const { products, actions, subscriptions, customers } = t.profile
  const undo = async () => t.accepted(await t.call('undoAddProduct', { email, product_id }), 'UNDO-1')
  const add = async () => t.accepted(await t.call('addProduct', { email, product_id }), 'ADD-1')
  const change = (wrong: object, { other = wrong, restore = async () => {} } = {}) => ({
    /** The input of the change. */
    input,
    /** An input for the same endpoint that the shop rejects. */
    refused: { ...input, ...wrong },
    /** A different well-formed input for the same endpoint. The shop may reject this input. */
    other: { ...input, ...other },
    /** Undoes the change, if possible. */
    restore,
  })
  switch (name) {
    case 'addProduct': {
      const made = change({ product_id: products.unknown }, { other: { quantity: 3 }, restore: undo })
      return { ...made, input: { ...input, quantity: 2 } }
    }
    case 'undoAddProduct': {
      const between = () => makeOtherChange(t, String(email))
      // Adds the product twice: an undo that takes effect twice would also undo the first addition.
      await add()
      await between()
      await add()
      return change({ product_id: products.unknown }, { restore: () => between().then(undo) })
    }
    case 'swapProduct': {
      const start = await arrange(t)
      const { product, place } = start.ownedProduct()
      const wrong = { current_item_id: products.unknown }
      return change(wrong, {
        other: { ...wrong, new_product_id: start.newProduct().id },
        async restore() {
          const { items } = await readSubscription(t, start.email)
          await swapLine(t, start.email, items[place], product)
        },
      })
    }
    case 'delaySubscription':
      return change({ new_date: '2000-01-01' }, { other: { new_date: addDays(String(input['new_date']), 1) } })
    case 'reactivateSubscription':
      return change({ subscription_id: subscriptions.unknown })
    case 'runCustomAction':
      return change({ action_id: actions.unknown })
    default:
      return change({ email: customers.unknown })
  }
}
