import type { CompleteStorePort, Context, ErrorCode, InputOf } from '@storeport/core'
import { isStoreError } from '@storeport/core'
import type { ChangeName } from '@storeport/rules'

/** A click on one of the buttons that change something. */
export type Click = {
  [Name in ChangeName]: {
    readonly call: Name
    readonly input: InputOf<Name>
    /** `context.idempotencyKey`; the same for a retry of the click. */
    readonly key: string
  }
}[ChangeName]

/** Makes a click of its own, which nobody has made before. */
export function click<Name extends ChangeName>(call: Name, input: InputOf<Name>) {
  return { call, input, key: crypto.randomUUID() }
}

/** Sends a click to a store and tells how it ended. */
export async function send(store: CompleteStorePort, one: Click): Promise<'done' | ErrorCode> {
  try {
    // The input belongs to the call, which the compiler loses in a union.
    await Reflect.apply(store[one.call], store, [one.input, contextOf(one.key)])
    return 'done'
  } catch (error) {
    if (isStoreError(error)) return error.code
    throw error
  }
}

/** The context of a call. */
export function contextOf(idempotencyKey: string = crypto.randomUUID()): Context {
  return { requestId: 'test', signal: new AbortController().signal, idempotencyKey, testMode: false }
}

/** One of a product. */
export function oneOf(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}
