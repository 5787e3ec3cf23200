import { addDays, type EndpointName } from '@storeport/core'
import type { CheckContext } from '../engine/check-context.ts'
import { arrange, newProduct, ownedProduct } from './arrange.ts'
import { clickBetween, clickBetweenNeeds } from './click-between.ts'
import { effectiveInput, effectiveNeeds } from './effective-input.ts'
import { readSubscription } from './read.ts'

type Input = Readonly<Record<string, unknown>>

/** A change that is about to be made, and calls that are nearly the same. */
export interface RepeatableChange {
  /** What takes effect once. */
  readonly input: Input
  /** A call of the same endpoint that the shop refuses. */
  readonly refused: Input
  /** A call of the same endpoint that asks something else. */
  readonly other: Input
  /** Takes the change back, where that can be done. */
  restore(): Promise<void>
}

/** What `arrangeChange` calls for an endpoint, that endpoint included, and `clickBetween`. */
export function changeNeeds(name: EndpointName): readonly EndpointName[] {
  const more: readonly EndpointName[] =
    name === 'undoAddProduct' ? ['addProduct'] : name === 'addProduct' ? ['undoAddProduct'] : []
  return [...new Set([...effectiveNeeds(name), ...clickBetweenNeeds, ...more])]
}

/** Arranges a change by an endpoint that changes something, such that a second one would show. */
export async function arrangeChange(t: CheckContext, name: EndpointName): Promise<RepeatableChange> {
  const input = await effectiveInput(t, name)
  const { email } = input
  const undo = async () =>
    t.accepted(await t.call('undoAddProduct', { email, product_id: input['product_id'] }), 'UNDO-1')
  const add = async () => t.accepted(await t.call('addProduct', { email, product_id: input['product_id'] }), 'ADD-1')
  const { products, actions, subscriptions, customers } = t.profile
  const nothing = async () => {}
  switch (name) {
    case 'addProduct':
      return {
        input: { ...input, quantity: 2 },
        refused: { ...input, product_id: products.unknown },
        other: { ...input, quantity: 3 },
        restore: undo,
      }
    case 'undoAddProduct':
      // Two adds: of an undo that counts twice the second one would be taken back too.
      await add()
      await clickBetween(t, String(email))
      await add()
      return {
        input,
        refused: { ...input, product_id: products.unknown },
        other: { ...input, product_id: products.unknown },
        async restore() {
          await clickBetween(t, String(email))
          await undo()
        },
      }
    case 'swapProduct': {
      const start = await arrange(t)
      const { product, place } = ownedProduct(t, start)
      return {
        input,
        refused: { ...input, current_item_id: products.unknown },
        other: { ...input, new_product_id: newProduct(t, start).id, current_item_id: products.unknown },
        async restore() {
          const current_item_id = (await readSubscription(t, start.email)).items[place]?.id
          t.accepted(await t.call('swapProduct', { email, current_item_id, new_product_id: product.id }), 'SWAP-1')
        },
      }
    }
    case 'delaySubscription':
      return {
        input,
        refused: { ...input, new_date: '2000-01-01' },
        other: { ...input, new_date: addDays(String(input['new_date']), 1) },
        restore: nothing,
      }
    case 'reactivateSubscription': {
      const other = { ...input, subscription_id: subscriptions.unknown }
      return { input, refused: other, other, restore: nothing }
    }
    case 'runCustomAction': {
      const other = { ...input, action_id: actions.unknown }
      return { input, refused: other, other, restore: nothing }
    }
    default: {
      const other = { ...input, email: customers.unknown }
      return { input, refused: other, other, restore: nothing }
    }
  }
}
