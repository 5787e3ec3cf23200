import { type ClickRecord, type EndpointName, errors } from '@storeport/core'
import type { HistoryLine } from '@storeport/playground'

type Words = readonly [asked: (input: ClickRecord['input']) => string, done: string]

/** The click and its result in words, by operation. An invalid request has no fields. */
const words: Readonly<Partial<Record<EndpointName, Words>>> = {
  addProduct: [
    ({ product_id, quantity, one_time }) =>
      product_id === undefined
        ? 'Add a product'
        : `Add ${quantity ?? 1} × ${product_id}${one_time === true ? ', one-time' : ''}`,
    'added',
  ],
  undoAddProduct: [({ product_id }) => `Undo the addition of ${product_id ?? 'a product'}`, 'removed'],
  sendNow: [() => 'Send now', 'order created'],
  delaySubscription: [({ new_date }) => `Delay to ${new_date ?? 'a date'}`, 'delayed'],
  swapProduct: [
    ({ current_item_id, new_product_id }) => `Swap ${current_item_id ?? 'an item'} for ${new_product_id ?? 'another'}`,
    'swapped',
  ],
  reactivateSubscription: [({ subscription_id }) => `Reactivate ${subscription_id ?? 'a subscription'}`, 'reactivated'],
  runCustomAction: [({ action_id }) => `Run ${action_id ?? 'an action'}`, 'done'],
}

/** Describes a record in words. */
export function describeRecord({ time, requestId, operation, input, repeat, status, code }: ClickRecord): HistoryLine {
  const [ask, done]: Words = words[operation] ?? [() => operation, 'done']
  const discount = input['discount_code'] === undefined ? '' : `, code ${String(input['discount_code'])}`
  // A paused endpoint returns the same error as an unavailable store.
  const reason = code === 'store_unavailable' ? 'The endpoint was paused, or the shop was unavailable.' : undefined
  const failure =
    code && `${status >= 500 ? 'failed' : 'rejected'}: ${status} ${code}. ${reason ?? errors[code].message}`
  return {
    at: Date.parse(time),
    asked: `${ask(input)}${discount}${repeat ? ', the same click again' : ''}`,
    result: failure ?? (repeat ? 'no second change' : done),
    failed: code !== undefined,
    requestId,
  }
}
