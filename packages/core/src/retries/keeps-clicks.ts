import type { Context } from '../store-port.ts'

/** A method that keeps `context.click` in the transaction of its change. */
export type KeepingMethod<Input> = (input: Input, context: Context) => Promise<unknown>

/** Known to every copy of this package that a process has loaded. */
const mark = Symbol.for('storeport.keepsClicks')

/**
 * Marks a method that keeps `context.click` in the transaction of its change, by `clicks.once` or by `context.click.keep`: the
 * integration then calls it without a claim in a ledger.
 */
export function keepsClicks<Input>(method: KeepingMethod<Input>): (input: Input, context: Context) => Promise<void> {
  const keeping = async (input: Input, context: Context) => {
    await method(input, context)
  }
  return Object.assign(keeping, { [mark]: true })
}

/** Whether a method was made by `keepsClicks`. */
export function keepsItsClicks(method: object): boolean {
  return mark in method
}
