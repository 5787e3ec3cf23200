import type { Context } from '../store-port.ts'

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

/** Whether a method was made by `keepsClicks`. */
export function keepsItsClicks(method: object): boolean {
  return mark in method
}

/** Returns what `keepsClicks` was given, `undefined` for a method that it did not make. */
export function keepingMethod(method: object): ((input: object, context: Context) => unknown) | undefined {
  const keeping: unknown = Reflect.get(method, mark)
  if (typeof keeping !== 'function') return undefined
  return (input, context) => Reflect.apply(keeping, undefined, [input, context])
}
