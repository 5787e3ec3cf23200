import { type ClickRecord, type CompleteStorePort, type EndpointName, errors } from '@storeport/core'
import type { HistoryLine } from '@storeport/playground'
import { wireItemId } from '@storeport/rules'

/** Returns the title of the product with an id or an item id; `other` without an id, and the id of an unknown product. */
type NameOf = (id: unknown, other: string) => string

type Words = readonly [asked: (input: ClickRecord['input'], nameOf: NameOf) => string, done: string]

/** The click and its result in words, by operation. An invalid request has no fields. */
const words: Readonly<Partial<Record<EndpointName, Words>>> = {
  addProduct: [
    ({ product_id, quantity, one_time }, nameOf) =>
      product_id === undefined
        ? 'Add a product'
        : `Add ${quantity ?? 1} × ${nameOf(product_id, '')}${one_time === true ? ', one-time' : ''}`,
    'added',
  ],
  undoAddProduct: [({ product_id }, nameOf) => `Undo the addition of ${nameOf(product_id, 'a product')}`, 'removed'],
  sendNow: [() => 'Send now', 'order created'],
  delaySubscription: [({ new_date }) => `Delay to ${new_date ?? 'a date'}`, 'delayed'],
  swapProduct: [
    ({ current_item_id, new_product_id }, nameOf) =>
      `Swap ${nameOf(current_item_id, 'an item')} for ${nameOf(new_product_id, 'another')}`,
    'swapped',
  ],
  reactivateSubscription: [({ subscription_id }) => `Reactivate ${subscription_id ?? 'a subscription'}`, 'reactivated'],
  runCustomAction: [({ action_id }) => `Run ${action_id ?? 'an action'}`, 'done'],
}

/** Returns a function that describes a record in words, with the titles of the products that the store lists. */
export async function readDescriber(
  store: Pick<CompleteStorePort, 'listProducts'>,
): Promise<(record: ClickRecord) => HistoryLine> {
  const { signal } = new AbortController()
  const context = { requestId: 'history', idempotencyKey: 'history', testMode: false, signal }
  const { products } = await store.listProducts({}, context)
  const titles = new Map<unknown, string>()
  for (const { id: product_id, title } of products)
    for (const one_time of [false, true]) titles.set(wireItemId({ product_id, one_time }), title)
  return (record) => describeRecord(record, (id, other) => titles.get(id) ?? String(id ?? other))
}

function describeRecord(record: ClickRecord, nameOf: NameOf): HistoryLine {
  const { time, requestId, operation, input, repeat, status, code } = record
  const [ask, done]: Words = words[operation] ?? [() => operation, 'done']
  const discount = input['discount_code'] === undefined ? '' : `, code ${String(input['discount_code'])}`
  // A paused endpoint returns the same error as an unavailable store.
  const reason = code === 'store_unavailable' ? 'The endpoint was paused, or the shop was unavailable.' : undefined
  const failure =
    code && `${status >= 500 ? 'failed' : 'rejected'}: ${status} ${code}. ${reason ?? errors[code].message}`
  return {
    at: Date.parse(time),
    asked: `${ask(input, nameOf)}${discount}${repeat ? ', the same click again' : ''}`,
    result: failure ?? (repeat ? 'no second change' : done),
    failed: code !== undefined,
    requestId,
  }
}
