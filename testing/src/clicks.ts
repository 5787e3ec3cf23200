import type { CompleteStorePort, Context, ErrorCode, InputOf } from '@storeport/core'
import { isStoreError } from '@storeport/core'
import type { ChangeName } from '@storeport/rules'

/** A call of a store method that changes the account. */
export type Click = {
  [Name in ChangeName]: {
    readonly call: Name
    readonly input: InputOf<Name>
    /** Value of `context.idempotencyKey`, which is the same for all attempts of the click. */
    readonly key: string
  }
}[ChangeName]

/** Returns a click with a new idempotency key. */
export function click<Name extends ChangeName>(call: Name, input: InputOf<Name>) {
  return { call, input, key: crypto.randomUUID() }
}

/** Calls the store method of a click and returns the outcome. */
export async function send(store: CompleteStorePort, { call, input, key }: Click): Promise<'done' | ErrorCode> {
  try {
    // Uses Reflect, because TypeScript cannot infer that the input and the method belong to the same endpoint.
    await Reflect.apply(store[call], store, [input, contextOf(key)])
    return 'done'
  } catch (error) {
    if (isStoreError(error)) return error.code
    throw error
  }
}

/** Creates a context for a call of a store method. */
export function contextOf(idempotencyKey: string = crypto.randomUUID()): Context {
  return { requestId: 'test', signal: new AbortController().signal, idempotencyKey, testMode: false }
}

/** Returns `addProduct` fields for one unit of a product. */
export function oneOf(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}
