import type { ClickResponse } from './start-click-host.ts'

/*
 * Models a customer without a subscription who adds and undoes products. Checks whether some serial order of concurrent
 * requests explains their responses and the resulting orders.
 */

export interface RecordedRequest {
  readonly call: 'add' | 'undo'
  readonly product: string
  readonly key?: string | undefined
  readonly response: Pick<ClickResponse, 'status' | 'code' | 'replayed'>
}

/** A possible state of a customer's orders and stored clicks. */
export interface Possible {
  /** Orders in the format of `ClickShop.ordersOf`. */
  readonly orders: readonly string[]
  /** Last success without a key, which StorePort replays for a repeat. Empty after a success with a key. */
  readonly last: string
  /** Idempotency keys that the customer has used, each with its request. */
  readonly keys: readonly string[]
}

/** State of a customer without orders or stored clicks. */
export const initialState: Possible = { orders: [], last: '', keys: [] }

/**
 * Returns the possible states after concurrent requests that lead to `orders`. Returns an empty array if no serial
 * order of the requests explains their responses and `orders`.
 */
export function explainRace(
  before: readonly Possible[],
  calls: readonly RecordedRequest[],
  orders: readonly string[],
): readonly Possible[] {
  return distinct(before.flatMap((state) => runInAnyOrder(state, calls))).filter(
    (state) => state.orders.join() === orders.join(),
  )
}

function runInAnyOrder(state: Possible, calls: readonly RecordedRequest[]): readonly Possible[] {
  if (calls.length === 0) return [state]
  return distinct(
    calls.flatMap((next, index) =>
      runOne(state, next).flatMap((after) => runInAnyOrder(after, calls.toSpliced(index, 1))),
    ),
  )
}

/** Returns the states after one request: several if the outcome is unknown, or none if the response is impossible. */
function runOne(state: Possible, { call, product, key, response }: RecordedRequest): readonly Possible[] {
  const outcome = expectedOutcome(state, call, product, key)
  if (isRejected(response)) return [state]
  if (isUnknown(response)) return outcome.after === undefined ? [state] : [state, outcome.after]
  if (response.status !== outcome.status || response.replayed !== outcome.replayed) return []
  return [outcome.after ?? state]
}

/** Returns whether StorePort rejected a request, so that the request has no effect. */
export function isRejected({ status, code }: RecordedRequest['response']): boolean {
  return status === 503 || (status === 409 && code === 'request_in_progress')
}

/** Returns whether a request may still have an effect. */
export function isUnknown({ status }: RecordedRequest['response']): boolean {
  return status === 0 || status === 502 || status === 504
}

function expectedOutcome(state: Possible, call: 'add' | 'undo', product: string, key: string | undefined) {
  const click = `${call} ${product}`
  if (key === undefined && state.last === click) return { status: 200, replayed: false }
  const known = key === undefined ? undefined : state.keys.find((each) => each.startsWith(`${key} ${call} `))
  if (known !== undefined) {
    const isSame = known === `${key} ${click}`
    return { status: isSame ? 200 : 422, replayed: isSame }
  }
  const orders = call === 'add' ? [...state.orders, product] : undo(state.orders, product)
  if (orders === undefined) return { status: 404, replayed: false }
  const keys = key === undefined ? state.keys : [...state.keys, `${key} ${click}`]
  return { status: 200, replayed: false, after: { orders, last: key === undefined ? click : '', keys } }
}

function undo(orders: readonly string[], product: string): readonly string[] | undefined {
  const at = orders.lastIndexOf(product)
  return at === -1 ? undefined : orders.with(at, `-${product}`)
}

function distinct(states: readonly Possible[]): readonly Possible[] {
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()]
}
