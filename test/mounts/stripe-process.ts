import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { redisLedger } from '@storeport/redis'
import { stripeStore } from '@storeport/store-stripe'
import { keys } from '@storeport/testing/keys'
import { Redis } from 'ioredis'
import { Stripe } from 'stripe'

/* One of several processes of a shop in a Stripe account. Prints its URL. */

const { STRIPE_URL = '', STRIPE_SECRET_KEY = '', REDIS_PATH = '' } = process.env
const { hostname: host, port } = new URL(STRIPE_URL)
const store = stripeStore(new Stripe(STRIPE_SECRET_KEY, { host, port, protocol: 'http' }), { freeTrials: 'change' })
const ledger = redisLedger(new Redis(REDIS_PATH))
const { url } = await serve(
  createIntegration({ store, apiKeys: [keys.first], scope: 'shop', retries: { ledger, processes: 2 } }),
  { port: 0 },
)
console.log(url)
