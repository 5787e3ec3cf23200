import { addDays, type CurrentSubscription, type EndpointName } from '@storeport/core'
import { haveSameLines } from '../engine/changes.ts'
import type { CheckContext } from '../engine/check.ts'
import { arrange, customerOf, perform, readCancelled, readSubscription, swapLine, undoAdd } from './customers.ts'
import { fieldsOf, harmlessInput } from './inputs.ts'

/** What clickBetween calls. */
export const clickBetweenNeeds = ['getSubscription', 'delaySubscription'] as const satisfies readonly EndpointName[]

/** Delays the current subscription to a later date; this is never taken for the repeat of an earlier delay. */
export async function delayTo(t: CheckContext, email: string, new_date: string): Promise<void> {
  await clickBetween(t, email)
  await perform(t, 'delaySubscription', { email, new_date }, 'DELAY-1')
}

/**
 * Makes another change of a customer, one without effect: the subscription is delayed to the date that it has.
 *
 * A shop may take the same call twice in a row for one click that was repeated; after another change it must not. A shop that
 * refuses this one fails the check of that change, not every check that only needs something in between.
 */
export async function clickBetween(t: CheckContext, email: string): Promise<void> {
  const { next_billing_date } = await readSubscription(t, email)
  const new_date = laterOf(next_billing_date, addDays(t.today, 1))
  await t.call('delaySubscription', { email, new_date })
}

/** Takes adds back, each after another change: no undo is the repeat of the one before. */
export async function undoInTurn(t: CheckContext, email: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await clickBetween(t, email)
    await undoAdd(t, email, id)
  }
}

/** The later one of two dates. */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other
}

/**
 * Delays the current subscription of the customer with several, until another one is current: one with other lines, or the
 * same lines and another date.
 *
 * One with the same lines and the date that was there before may be another one too, as often as once; after that the
 * delay is without effect. Answers with the one that is current now, and the one that was, `delayed` by then.
 */
export async function passTheFirst(t: CheckContext) {
  const email = customerOf(t, 'subscribed')
  let first = await readSubscription(t, email)
  let withoutEffect = 0
  for (let steps = 0; steps < mostSteps; steps++) {
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
  return t.spent('the second subscription of the customer is too far away')
}

/** Brings the subscription with these lines, or with those others, back to the front, by delaying what comes before it. */
export async function bringBack(
  t: CheckContext,
  email: string,
  ...wanted: readonly CurrentSubscription[]
): Promise<CurrentSubscription> {
  for (let steps = 0; steps < mostSteps; steps++) {
    const current = await readSubscription(t, email)
    if (wanted.some((one) => haveSameLines(one, current))) return current
    await delayTo(t, email, addDays(current.next_billing_date, daysOfStep(steps)))
  }
  return t.spent('the subscription is too far away')
}

/** How many delays are tried: after that, more than ten years, the other subscription is too far away. */
const mostSteps = 65

/**
 * How many days a subscription is delayed at a time: less than any interval, later a tenth more each time.
 *
 * Nothing brings a date back but sending the order, so a leap far beyond the other one would make the way longer for every later run.
 */
function daysOfStep(steps: number): number {
  return Math.round(steps < 14 ? 5 : 5 * 1.1 ** (steps - 13))
}

/** Reads from the shop what an input for each endpoint that changes something needs. */
type ReadInput = (t: CheckContext) => Promise<Record<string, unknown>>

const readers: Readonly<Partial<Record<EndpointName, ReadInput>>> = {
  addProduct: addOfNewProduct,
  undoAddProduct: addOfNewProduct,
  async sendNow(t) {
    return { email: customerOf(t, 'otherCustomer') }
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
    const email = customerOf(t, 'cancelled')
    const [first = t.spent('nothing is left to reactivate')] = await readCancelled(t, email)
    return { email, subscription_id: first.subscription_id }
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

/** What `effectiveInput` calls for an endpoint, that endpoint included. */
export function effectiveNeeds(name: EndpointName): readonly EndpointName[] {
  if (['addProduct', 'undoAddProduct', 'swapProduct'].includes(name)) return [name, 'getSubscription', 'listProducts']
  if (name === 'delaySubscription') return [name, 'getSubscription']
  return name === 'reactivateSubscription' ? [name, 'listCancelledSubscriptions'] : [name]
}

/** An input of a customer whom the shop knows: of an endpoint that changes something one that would take effect now. */
export async function effectiveInput(t: CheckContext, name: EndpointName): Promise<Record<string, unknown>> {
  const read = readers[name]
  if (read !== undefined) return read(t)
  const { subscribed } = t.profile.customers
  const input = harmlessInput(t, name)
  const namesCustomer = fieldsOf(name).some(([field]) => field === 'email')
  return namesCustomer && subscribed !== undefined ? { ...input, email: subscribed } : input
}

/** What `arrangeChange` calls for an endpoint, that endpoint included, and `clickBetween`. */
export function changeNeeds(name: EndpointName): readonly EndpointName[] {
  const more: readonly EndpointName[] =
    name === 'undoAddProduct' ? ['addProduct'] : name === 'addProduct' ? ['undoAddProduct'] : []
  return [...new Set([...effectiveNeeds(name), ...clickBetweenNeeds, ...more])]
}

/** Arranges a change by an endpoint that changes something, such that a second one would show, and calls that are nearly the same. */
export async function arrangeChange(t: CheckContext, name: EndpointName) {
  const input = await effectiveInput(t, name)
  const { email, product_id } = input
  const { products, actions, subscriptions, customers } = t.profile
  const undo = async () => t.accepted(await t.call('undoAddProduct', { email, product_id }), 'UNDO-1')
  const add = async () => t.accepted(await t.call('addProduct', { email, product_id }), 'ADD-1')
  const change = (wrong: object, { other = wrong, restore = async () => {} } = {}) => ({
    /** What takes effect once. */
    input,
    /** A call of the same endpoint that the shop refuses. */
    refused: { ...input, ...wrong },
    /** A call of the same endpoint that asks something else. */
    other: { ...input, ...other },
    /** Takes the change back, where that can be done. */
    restore,
  })
  switch (name) {
    case 'addProduct': {
      const made = change({ product_id: products.unknown }, { other: { quantity: 3 }, restore: undo })
      return { ...made, input: { ...input, quantity: 2 } }
    }
    case 'undoAddProduct': {
      const between = () => clickBetween(t, String(email))
      // Two adds: of an undo that counts twice the second one would be taken back too.
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
