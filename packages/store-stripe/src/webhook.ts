import type { Stripe } from 'stripe'
import { idOf } from './account/to-account.ts'

/** Options of `stripeWebhook`. */
export interface StripeWebhookOptions {
  /** Signing secret of the webhook endpoint, which begins with `whsec_`. */
  readonly secret: string
  /** Called with the email of a customer whose subscription changed, for example with `changed` of `@storeport/shield`. */
  readonly changed: (email: string) => Promise<void> | void
}

/**
 * Creates a handler for the events `invoice.payment_failed`, `customer.subscription.updated` and `customer.subscription.deleted`. Other
 * events have no effect. An invalid signature returns 400, and a failure returns 500, so that Stripe sends the event again.
 *
 * Throws TypeError for an invalid secret.
 */
export function stripeWebhook(
  stripe: Stripe,
  { secret, changed }: StripeWebhookOptions,
): (request: Request) => Promise<Response> {
  if (!secret.startsWith('whsec_'))
    throw new TypeError('secret: must be the signing secret of the webhook endpoint, which begins with whsec_')
  return async (request) => {
    const signature = request.headers.get('stripe-signature') ?? ''
    // The signature covers the exact bytes of the body.
    const body = await request.text()
    let event: Stripe.Event
    try {
      event = await stripe.webhooks.constructEventAsync(body, signature, secret)
    } catch {
      return new Response('The signature is not valid.', { status: 400 })
    }
    try {
      const email = await findEmail(stripe, event)
      if (email !== undefined) await changed(email)
      return new Response(null, { status: 204 })
    } catch {
      return new Response('The event was not processed.', { status: 500 })
    }
  }
}

/** Returns the current email of the customer whose subscription changed; `undefined` for other events. */
async function findEmail(stripe: Stripe, event: Stripe.Event): Promise<string | undefined> {
  switch (event.type) {
    case 'invoice.payment_failed':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const { customer: reference } = event.data.object
      if (reference === null) return undefined
      const customer = await stripe.customers.retrieve(idOf(reference))
      return customer.deleted === true ? undefined : (customer.email ?? undefined)
    }
    default:
      return undefined
  }
}
