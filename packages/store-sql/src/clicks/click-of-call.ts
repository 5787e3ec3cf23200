import { createHash } from 'node:crypto'
import type { Context, EndpointName, PendingClick } from '@storeport/core'
import { emailKey } from '@storeport/rules'

/** For how long the key of a call without a click is kept, in milliseconds: longer than any retry comes. */
const keyMs = 48 * 60 * 60_000

/** A call of the store: only the same call again is a retry. */
export interface StoreCall {
  /** The endpoint. */
  readonly name: EndpointName
  /** The input of the call. */
  readonly input: { readonly email: string }
  /** Who calls. */
  readonly context: Pick<Context, 'click' | 'idempotencyKey'>
}

/**
 * Returns the click of a call: that of the integration, else one that is named by the idempotency key together with
 * endpoint and input. A call without a key is a click of its own.
 */
export function clickOfCall(call: StoreCall): PendingClick {
  const { click, idempotencyKey } = call.context
  if (click !== undefined) return click
  const id = idempotencyKey === '' ? crypto.randomUUID() : digestOf(call)
  const lastsMs = idempotencyKey === '' ? 0 : keyMs
  return {
    id,
    customer: '',
    fingerprint: id,
    named: true,
    idempotencyKey: crypto.randomUUID(),
    arrivedAt: performance.now(),
    leaseMs: 0,
    doneMs: lastsMs,
    unknownMs: 0,
    keptMs: 0,
    commitBy: Infinity,
    remembersMs: () => lastsMs,
  }
}

/** Any key is as long as any other then, and a database takes it whatever it holds. */
function digestOf({ name, input, context }: StoreCall): string {
  const fields = Object.entries({ ...input, email: emailKey(input.email) })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, fields, context.idempotencyKey]))
    .digest('base64url')
}
