import { addDays, type EndpointName } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { arrange, newProduct, ownedProduct } from './arrange.ts'
import { customerOf } from './customer-of.ts'
import { harmlessInput } from './harmless.ts'
import { fieldsOf } from './input-fields.ts'
import { readCancelled, readSubscription } from './read.ts'

/** Reads from the shop what an input for each endpoint that changes something needs. */
type ReadInput = (t: CheckContext) => Promise<Record<string, unknown>>

const readers: Readonly<Partial<Record<EndpointName, ReadInput>>> = {
  async addProduct(t) {
    const start = await arrange(t)
    return { email: start.email, product_id: newProduct(t, start).id }
  },
  async undoAddProduct(t) {
    const start = await arrange(t)
    return { email: start.email, product_id: newProduct(t, start).id }
  },
  async sendNow(t) {
    return { email: customerOf(t, 'neighbour') }
  },
  async delaySubscription(t) {
    const email = customerOf(t, 'neighbour')
    const { next_billing_date } = await readSubscription(t, email)
    return { email, new_date: addDays(next_billing_date, 1) }
  },
  async swapProduct(t) {
    const start = await arrange(t)
    const { item } = ownedProduct(t, start)
    return { email: start.email, current_item_id: item.id, new_product_id: newProduct(t, start).id }
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
