import type { CompleteStorePort, Context, ErrorCode, InputOf } from '@storeport/core'
import { isStoreError } from '@storeport/core'

/** A click on one of the buttons that change something. */
export type Click = {
  [Name in Changing]: {
    readonly call: Name
    readonly input: InputOf<Name>
    /** `context.idempotencyKey`; the same for a retry of the click. */
    readonly key: string
  }
}[Changing]

type Changing =
  | 'addProduct'
  | 'undoAddProduct'
  | 'sendNow'
  | 'delaySubscription'
  | 'swapProduct'
  | 'reactivateSubscription'

/** Makes a click of its own, which nobody has made before. */
export function click<Name extends Changing>(call: Name, input: InputOf<Name>) {
  return { call, input, key: crypto.randomUUID() }
}

/** Sends a click to a store and tells how it ended. */
export async function send(store: CompleteStorePort, one: Click): Promise<'done' | ErrorCode> {
  try {
    await sendTo(store, one, contextOf(one.key))
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

function sendTo(store: CompleteStorePort, one: Click, context: Context): Promise<void> {
  switch (one.call) {
    case 'addProduct':
      return store.addProduct(one.input, context)
    case 'undoAddProduct':
      return store.undoAddProduct(one.input, context)
    case 'sendNow':
      return store.sendNow(one.input, context)
    case 'delaySubscription':
      return store.delaySubscription(one.input, context)
    case 'swapProduct':
      return store.swapProduct(one.input, context)
    case 'reactivateSubscription':
      return store.reactivateSubscription(one.input, context)
  }
}

/** One of a product. */
export function oneOf(product_id: string) {
  return { product_id, quantity: 1, one_time: false }
}
