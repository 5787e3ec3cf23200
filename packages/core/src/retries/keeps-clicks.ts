import type { Context } from '../store-port.ts'
import type { Click } from './ledger.ts'

/** A click that a method of the store keeps itself, together with its change. */
export interface PendingClick extends Click {
  /** Until when a commit may begin, in milliseconds on the clock of `performance.now()`: one that begins later may end after the answer. */
  readonly commitBy: number
  /** Returns for how long a success is remembered as things are now, in milliseconds: longer when its caller got no answer. */
  remembersMs(): number
}

/** How a method that keeps its clicks succeeded: it made the change, or had made it for an earlier try. */
export type KeptAnswer = 'ran' | 'replayed'

/** A method that keeps `context.click` in the transaction of its change. */
export type KeepingMethod<Input> = (input: Input, context: Context) => Promise<KeptAnswer>

/** Known to every copy of this package that a process has loaded. */
const mark = Symbol.for('storeport.keepsClicks')

/**
 * Marks a method that keeps `context.click` in the transaction of its change and answers whether it was a replay: the
 * integration calls it without asking a ledger. `judgeClick` says what a click that is kept already may do.
 */
export function keepsClicks<Input>(method: KeepingMethod<Input>): (input: Input, context: Context) => Promise<void> {
  const keeping = async (input: Input, context: Context) => {
    await method(input, context)
  }
  return Object.assign(keeping, { [mark]: method })
}

/** Returns what `keepsClicks` was given, `undefined` for a method that it did not make. */
export function keepingMethod(method: object | undefined): ((input: object, context: Context) => unknown) | undefined {
  if (method === undefined) return undefined
  const keeping: unknown = Reflect.get(method, mark)
  if (typeof keeping !== 'function') return undefined
  return (input, context) => Reflect.apply(keeping, undefined, [input, context])
}
