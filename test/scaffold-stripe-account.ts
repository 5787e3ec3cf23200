import { seedStripe } from '@storeport/testing/stripe/seed-stripe'
import { startStripeStandIn } from '@storeport/testing/stripe/start-stripe-stand-in'
import { Stripe } from 'stripe'

const dayMs = 86_400_000

/** Starts a Stripe stand-in with sample data. `nodeOptions` redirects the requests of a process to the stand-in. */
export async function startStripeAccount() {
  // Starts the clock before all dates in the sample data, because Stripe sets cancellation times from its clock.
  const opened = Date.now()
  const standIn = await startStripeStandIn({ now: () => new Date(Date.now() - 401 * dayMs) })
  const { hostname: host, port } = new URL(standIn.url)
  const stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http' })
  await seedStripe(stripe, { moveTo: (day) => standIn.advanceTo(new Date(Math.min(Date.parse(day), opened))) })
  await standIn.advanceTo(new Date(opened))
  const redirect = `import http from 'node:http'
    import https from 'node:https'
    import { syncBuiltinESMExports } from 'node:module'
    https.request = ({ method, path, headers }) => http.request({ host: '${host}', port: ${port}, method, path, headers })
    syncBuiltinESMExports()`
  const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(redirect)}`
  return { secretKey: standIn.secretKey, nodeOptions, close: standIn.close }
}
