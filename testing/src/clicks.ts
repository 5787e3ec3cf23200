import type { CompleteStorePort, Context, ErrorCode, InputOf } from '@storeport/core'
import { isStoreError } from '@storeport/core'
import type { ChangeName } from '@storeport/rules'

/** A request that changes the account. */
export type Click = {
  [Name in ChangeName]: {
    readonly call: Name
    readonly input: InputOf<Name>
    /** Value of `context.idempotencyKey`. A retry of the click has the same key. */
    readonly key: string
  }
}[ChangeName]

/** Returns a click with a new idempotency key. */
export function click<Name extends ChangeName>(call: Name, input: InputOf<Name>) {
  return { call, input, key: crypto.randomUUID() }
}

/** Sends a click to a store and returns its outcome. */
export async function send(store: CompleteStorePort, { call, input, key }: Click): Promise<'done' | ErrorCode> {
  try {
    // TypeScript cannot infer that the input and the method belong to the same endpoint.
    await Reflect.apply(store[call], store, [input, contextOf(key)])
    return 'done'
  } catch (error) {
    if (isStoreError(error)) return error.code
    throw error
  }
}

/** Returns the context of a request. */
export function contextOf(idempotencyKey: string = crypto.randomUUID()): Context {
  return { requestId: 'test', signal: new AbortController().signal, idempotencyKey, testMode: false }
}

/** Returns an input for one unit of a product. */
export function oneOf(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}
