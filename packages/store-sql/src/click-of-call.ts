import { createHash } from 'node:crypto'
import { type Click, type Context, type EndpointName, PendingClick } from '@storeport/core'
import { emailKey } from '@storeport/rules'

/**
 * Time for which the idempotency key of a call without a click is stored, in milliseconds. Callers stop retrying
 * earlier. A document has at most 100 clicks, so later calls can drop the key.
 */
const keyMs = 48 * 60 * 60_000
/** Time for which a call without a key is stored. A transaction that runs again after its commit finds the call. */
const attemptMs = 60_000

interface StoreCall {
  readonly name: EndpointName
  readonly input: { readonly email: string }
  readonly context: Pick<Context, 'click' | 'idempotencyKey'>
}

/**
 * Returns the click in the context, or creates a named click. The name of a created click is a digest of the endpoint,
 * the input and the idempotency key. Each call without an idempotency key is a new click.
 */
export function clickOfCall(call: StoreCall): Click {
  const { click: known, idempotencyKey } = call.context
  if (known !== undefined) return known
  const hasKey = idempotencyKey !== ''
  const name = hasKey ? digestOf(call) : crypto.randomUUID()
  const customer = `call:${emailKey(call.input.email)}`
  return new PendingClick({ customer, name, body: '', derivedKey: '', windowMs: hasKey ? keyMs : attemptMs })
}

/**
 * Returns a digest of a call. A digest is always a valid string, whereas a database may reject some idempotency keys.
 */
function digestOf({ name, input, context }: StoreCall): string {
  const fields = Object.entries({ ...input, email: emailKey(input.email) })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, fields, context.idempotencyKey]))
    .digest('base64url')
}
