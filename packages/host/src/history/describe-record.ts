import { type EndpointName, errors, type HistoryRecord } from '@storeport/core'
import type { HistoryLine } from '@storeport/playground'

type Fields = HistoryRecord['input']

type Words = readonly [asked: (input: Fields) => string, done: string]

/** The click and its result in words, by operation. Reads are recorded only if they fail. An invalid request has no fields. */
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
  listProducts: [() => 'Show the products', 'shown'],
  getSubscription: [() => 'Show the subscription', 'shown'],
  listCancelledSubscriptions: [() => 'Show the cancelled subscriptions', 'shown'],
  getDiscount: [() => 'Show a discount', 'shown'],
}

/** Describes a record. `attempt` is the number of this attempt of the click. */
export function describeRecord(record: HistoryRecord, attempt = 1): HistoryLine {
  const { at, requestId, operation, input, replayed, late, status } = record
  const [ask, done]: Words = words[operation] ?? [() => operation, 'done']
  const code = input['discount_code'] === undefined ? '' : `, code ${String(input['discount_code'])}`
  const repeat = replayed ? ', the same click again' : attempt > 1 ? `, attempt ${attempt}` : ''
  const replay = record.replayOf === undefined ? '' : `, replay of request ${record.replayOf}`
  return {
    at,
    asked: `${ask(input)}${code}${repeat}${replay}`,
    result: late ? `${describeResult(record, done)}, after the response` : describeResult(record, done),
    failed: status >= 400,
    requestId,
  }
}

function describeResult(record: HistoryRecord, done: string): string {
  const { replayed, reconciled } = record
  const answer = reconciled === undefined ? '' : ` (reconcile: ${reconciled})`
  if (replayed && reconciled === 'applied') return `was already ${done}${answer}`
  if (replayed) return 'answered from memory, no second change'
  return `${record.code === undefined ? done : describeFailure(record)}${answer}`
}

/** Describes why a request failed: the status, the code and its meaning. */
export function describeFailure({ status, code = 'internal_error', unknown, paused }: HistoryRecord): string {
  const outcome = unknown === true ? ' The outcome is unknown.' : ''
  if (paused === true) return `rejected: ${status} ${code}. The shop had paused this operation.`
  return `${status >= 500 ? 'failed' : 'rejected'}: ${status} ${code}. ${errors[code].message}${outcome}`
}

/** Describes records, oldest first, and numbers the attempts of each click. */
export function describeRecords(records: readonly HistoryRecord[]): readonly HistoryLine[] {
  const attempts = new Map<string, number>()
  return records.map((record) => {
    const { clickKey, late } = record
    const attempt = clickKey === undefined ? 1 : (attempts.get(clickKey) ?? 0) + (late ? 0 : 1)
    if (clickKey !== undefined) attempts.set(clickKey, attempt)
    return describeRecord(record, attempt)
  })
}
