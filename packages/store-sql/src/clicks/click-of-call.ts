import { createHash } from 'node:crypto'
import { type Context, type EndpointName, PendingClick } from '@storeport/core'
import { emailKey } from '@storeport/rules'

/** How long the key of a call without a click is stored, in milliseconds: longer than any retry comes. */
const keyMs = 48 * 60 * 60_000

interface StoreCall {
  readonly name: EndpointName
  readonly input: { readonly email: string }
  readonly context: Pick<Context, 'click' | 'idempotencyKey'>
}

/**
 * Returns the click of a call: that of the integration, else one with a separate document, whose key is a digest of endpoint, input
 * and idempotency key. A call without a key is a new click.
 */
export function clickOfCall(call: StoreCall): PendingClick {
  const { click: known, idempotencyKey } = call.context
  if (known !== undefined) return known
  const hasKey = idempotencyKey !== ''
  const customer = `call:${hasKey ? digestOf(call) : crypto.randomUUID()}`
  const click = { customer, fingerprint: '', windowMs: hasKey ? keyMs : 0 }
  const asked = {
    click,
    attempt: crypto.randomUUID(),
    leaseMs: 0,
    retainMs: 60_000,
    waitedMs: 0,
    canReconcile: false,
    repeatableMs: 0,
    isYoung: false,
  }
  return new PendingClick({ click, asked, commitBy: Infinity, waitedMs: () => 0 })
}

/** A key of any length and content becomes a text that every database takes. */
function digestOf({ name, input, context }: StoreCall): string {
  const fields = Object.entries({ ...input, email: emailKey(input.email) })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, fields, context.idempotencyKey]))
    .digest('base64url')
}
