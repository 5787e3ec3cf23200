import { shield } from '@storeport/shield'
import { stripeCosts, stripeWebhook } from '@storeport/store-stripe'
import { contextOf } from '@storeport/testing/clicks'
import type { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { email, openTestShop, type StripeShop } from './open-shop.ts'

const secret = 'whsec_of_the_tests'

/** Sends an event to a handler, as Stripe does. */
async function deliver(
  { stripe }: StripeShop,
  handle: (request: Request) => Promise<Response>,
  event: { readonly type: string; readonly object: object },
  signedWith = secret,
): Promise<number> {
  const payload = JSON.stringify({ object: 'event', type: event.type, data: { object: event.object } })
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: signedWith })
  const headers = { 'stripe-signature': signature }
  return (await handle(new Request('https://shop.example/stripe', { method: 'POST', headers, body: payload }))).status
}

async function openWebhook() {
  const shop = await openTestShop()
  const emails: string[] = []
  const handle = stripeWebhook(shop.stripe, { secret, changed: (changed) => void emails.push(changed) })
  const { customer } = await shop.stripe.subscriptions.retrieve(shop.subscriptions['sub_1001'] ?? '')
  return { shop, emails, handle, customer }
}

describe('stripeWebhook', () => {
  it.each(['invoice.payment_failed', 'customer.subscription.updated', 'customer.subscription.deleted'])(
    'calls `changed` with the email of the customer: %s',
    async (type) => {
      const { shop, emails, handle, customer } = await openWebhook()
      expect(await deliver(shop, handle, { type, object: { customer } })).toBe(204)
      expect(emails).toEqual([email])
    },
  )

  it('ignores other events, and rejects a signature with another secret', async () => {
    const { shop, emails, handle, customer } = await openWebhook()
    expect(await deliver(shop, handle, { type: 'invoice.paid', object: { customer } })).toBe(204)
    const event = { type: 'customer.subscription.updated', object: { customer } }
    expect(await deliver(shop, handle, event, 'whsec_of_another_endpoint')).toBe(400)
    expect(emails).toEqual([])
    expect(() => stripeWebhook(shop.stripe, { secret: '', changed: () => {} })).toThrow('which begins with whsec_')
  })

  it('returns 500 while Stripe fails, so that Stripe sends the event again', async () => {
    const { shop, emails, handle, customer } = await openWebhook()
    const event = { type: 'customer.subscription.deleted', object: { customer } }
    shop.standIn.fail({ kind: 'server_error' })
    expect(await deliver(shop, handle, event)).toBe(500)
    expect(await deliver(shop, handle, event)).toBe(204)
    expect(emails).toEqual([email])
  })

  it('makes a shield return a change that was made at Stripe; the shield counts the requests of the month', async () => {
    const shop = await openTestShop()
    const { stripe, store, subscriptions } = shop
    const shielded = shield(store, { calls: 1000, costs: stripeCosts, monthlyCalls: 3 })
    const handle = stripeWebhook(stripe, { secret, changed: shielded.changed })
    const read = async () => (await shielded.getSubscription?.({ email }, contextOf()))?.next_billing_date
    const before = await read()
    const trial_end = Date.parse('2026-04-05T12:00:00Z') / 1000
    const update: Stripe.SubscriptionUpdateParams = { trial_end, proration_behavior: 'none' }
    const object = await stripe.subscriptions.update(subscriptions['sub_1001'] ?? '', update)
    expect(await read()).toBe(before)
    await deliver(shop, handle, { type: 'customer.subscription.updated', object })
    expect(await read()).toBe('2026-04-05')
    expect(shielded.counts()).toMatchObject({ monthlyCalls: 4, over_budget: 1 })
  })
})

describe('the option dryRun', () => {
  it('passes each change to the function instead of sending it, and the operation fails with 503', async () => {
    const shop = await openTestShop()
    const printed: string[] = []
    const store = shop.another({ dryRun: (line) => void printed.push(line) })
    const sent = shop.standIn.requests.length
    const rejected = { code: 'store_unavailable', outcome: 'refused', message: 'Dry run: nothing was changed.' }
    const input = { email, product_id: 'test_54321', quantity: 2, one_time: false }
    await expect(store.addProduct(input, contextOf())).rejects.toMatchObject(rejected)
    await expect(store.sendNow({ email }, contextOf())).rejects.toMatchObject(rejected)
    await expect(
      store.runCustomAction({ email, action_id: 'join_waitlist_product_123' }, contextOf()),
    ).rejects.toMatchObject(rejected)
    expect((await store.getSubscription({ email }, contextOf()))?.items).toHaveLength(2)
    expect(printed).toHaveLength(3)
    expect(printed[0]).toMatch(/^subscriptions\.update\("sub_\d+", \{"items":\[.*"quantity":2/)
    const changes = shop.standIn.requests.slice(sent).filter(({ method }) => method !== 'GET')
    expect(changes.map(({ path }) => path)).toEqual(['/v1/invoices/create_preview'])
    expect(await store.ready()).toEqual([])
  })
})
