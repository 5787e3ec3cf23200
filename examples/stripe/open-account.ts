import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'

/** Connects to the Stripe account that an API key belongs to. Without a key, starts a stand-in with sample data. */
export async function openAccount(key: string | undefined, url: string | undefined): Promise<Stripe> {
  if (key !== undefined) return connect(key, url)
  console.log('Using a Stripe stand-in with temporary data. To use an account, set STRIPE_SECRET_KEY.')
  // Creates the data earlier, because Stripe finds new customers only after a minute.
  const standIn = await startStripeStandIn({ now: () => new Date(Date.now() - 120_000) })
  const stripe = connect(standIn.secretKey, standIn.url)
  await seedStripe(stripe, { change: standIn.change })
  await standIn.advanceTo(new Date())
  return stripe
}

function connect(key: string, url = 'https://api.stripe.com'): Stripe {
  const { protocol, hostname: host, port } = new URL(url)
  return new Stripe(key, { host, ...(port !== '' && { port }), protocol: protocol === 'http:' ? 'http' : 'https' })
}
