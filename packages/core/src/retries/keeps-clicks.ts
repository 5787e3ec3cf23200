import type { ClickIdentity, Context } from '../contract/store-port.ts'
import type { PendingClick } from './pending-click.ts'

/** Known to every copy of this package that a process has loaded. */
const mark = Symbol.for('storeport.keepsClicks')

/** Marks a method that keeps `context.click` in the transaction of its change: the integration does not claim it in a ledger. */
export function keepsClicks<Input>(
  method: (input: Input, context: Context) => Promise<unknown>,
): (input: Input, context: Context) => Promise<void> {
  const keeping = async (input: Input, context: Context) => void (await method(input, context))
  return Object.assign(keeping, { [mark]: true })
}

/** Whether a method was made by `keepsClicks`. */
export function keepsItsClicks(method: object): boolean {
  return mark in method
}

/** What a store's method may know of its click. */
export interface CalledClick {
  /** The click, where the method keeps it itself. */
  readonly pending?: PendingClick | undefined
  /** What its repeats have in common with it, for a store with `reconcile`. */
  readonly identity?: ClickIdentity | undefined
}
