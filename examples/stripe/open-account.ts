import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'

/** The account that a key opens; without one an account of a stand-in, with a coffee shop that is gone with the process. */
export async function openAccount(key: string | undefined, address: string | undefined): Promise<Stripe> {
  if (key !== undefined) return connect(key, address)
  console.log(
    'over a stand-in of Stripe, whose shop is gone with this process: set STRIPE_SECRET_KEY to use an account',
  )
  // Stripe says itself when something was cancelled, so the clock comes from where the seed begins.
  const start = Date.now() - 401 * 24 * 3_600_000
  const opened = Date.now()
  const standIn = await startStripeStandIn({ now: () => new Date(start + Date.now() - opened) })
  const stripe = connect(standIn.secretKey, standIn.url)
  await seedStripe(stripe, { moveTo: (day) => standIn.advanceTo(new Date(Math.min(Date.parse(day), Date.now()))) })
  await standIn.advanceTo(new Date())
  return stripe
}

function connect(key: string, address = 'https://api.stripe.com'): Stripe {
  const { protocol, hostname: host, port } = new URL(address)
  return new Stripe(key, { host, ...(port !== '' && { port }), protocol: protocol === 'http:' ? 'http' : 'https' })
}
