import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'

/** Connects to the Stripe account that an API key belongs to. Without a key, starts a stand-in with sample data. */
export async function openAccount(key: string | undefined, url: string | undefined): Promise<Stripe> {
  if (key !== undefined) return connect(key, url)
  console.log('Using a Stripe stand-in with temporary data. To use an account, set STRIPE_SECRET_KEY.')
  // Starts the clock before all dates in the sample data, because the stand-in reads cancellation times from its clock.
  const start = Date.now() - 401 * 24 * 3_600_000
  const opened = Date.now()
  const standIn = await startStripeStandIn({ now: () => new Date(start + Date.now() - opened) })
  const stripe = connect(standIn.secretKey, standIn.url)
  await seedStripe(stripe, { moveTo: (day) => standIn.advanceTo(new Date(Math.min(Date.parse(day), Date.now()))) })
  await standIn.advanceTo(new Date())
  return stripe
}

function connect(key: string, url = 'https://api.stripe.com'): Stripe {
  const { protocol, hostname: host, port } = new URL(url)
  return new Stripe(key, { host, ...(port !== '' && { port }), protocol: protocol === 'http:' ? 'http' : 'https' })
}
