import type { ClickAnswer } from './start-click-host.ts'

/*
 * A model of one customer without a subscription who adds and undoes products: it says whether the answers of calls that
 * raced, and what there is afterwards, are those of the calls one after the other in some order.
 */

/** A call and its answer. */
export interface AnsweredCall {
  readonly call: 'add' | 'undo'
  readonly product: string
  /** The `Idempotency-Key`, if it had one. */
  readonly key?: string | undefined
  readonly answer: Pick<ClickAnswer, 'status' | 'code' | 'replayed'>
}

/** What a customer may have, and what is remembered of their clicks. */
export interface Possible {
  /** What they ordered, as `ClickShop.ordersOf` says it. */
  readonly orders: readonly string[]
  /** The success without a key that a repeat replays: none after a success with a key. */
  readonly last: string
  /** The keys that were used, each with its call. */
  readonly keys: readonly string[]
}

/** A customer who has done nothing yet. */
export const nothingDone: Possible = { orders: [], last: '', keys: [] }

/**
 * Returns the states in which a customer may be after calls that raced, and who has these orders then; none when no order
 * of the calls explains what was answered.
 */
export function explainRace(
  before: readonly Possible[],
  calls: readonly AnsweredCall[],
  orders: readonly string[],
): readonly Possible[] {
  return distinct(before.flatMap((state) => runInAnyOrder(state, calls))).filter(
    (state) => state.orders.join() === orders.join(),
  )
}

function runInAnyOrder(state: Possible, calls: readonly AnsweredCall[]): readonly Possible[] {
  if (calls.length === 0) return [state]
  return distinct(
    calls.flatMap((next, index) =>
      runOne(state, next).flatMap((after) => runInAnyOrder(after, calls.toSpliced(index, 1))),
    ),
  )
}

/** The states after one call; more than one where nobody knows whether it happened. */
function runOne(state: Possible, { call, product, key, answer }: AnsweredCall): readonly Possible[] {
  const outcome = expectedOutcome(state, call, product, key)
  const isRefused = answer.status === 503 || (answer.status === 409 && answer.code === 'request_in_progress')
  if (isRefused) return [state]
  const isUnknown = answer.status === 0 || answer.status === 502 || answer.status === 504
  if (isUnknown) return outcome.after === undefined ? [state] : [state, outcome.after]
  if (answer.status !== outcome.status || answer.replayed !== outcome.replayed) return []
  return [outcome.after ?? state]
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
