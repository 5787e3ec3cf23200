import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createIntegration, type IntegrationOptions, type StorePort } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { seed } from '@storeport/rules'
import { createMemoryStore, type MemoryStore } from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { onTestFinished } from 'vitest'
import { createPlayground, type PlaygroundOptions, readShopState } from '../src/index.ts'

/** Date of the shop in every test. */
const today = '2026-03-10'

const customers = [
  { email: 'subscription@example.com', label: 'Subscriber' },
  { email: 'cancelled@example.com', label: 'Cancelled, can restart' },
  { email: 'another@example.com', label: 'Second subscriber' },
  { email: 'test@example.com', label: 'Not subscribed yet' },
  { email: 'nobody.at.all@example.com', label: 'Not a customer' },
]

/** API key of the shop, which must not reach the page. */
export const apiKey = 'a-key-that-stays-on-the-server'

export const token = 'a-token-of-the-tests-0001'

/** Name of the cookie, which is derived from the token. */
export const cookieName = 'storeport-3d7bb44c92582754'

/** Cookie of a signed-in browser. */
export const cookie = `${cookieName}=${token}`

/** Options of a test shop and its playground. */
export interface ShopOptions {
  /** Returns the store to serve, for example a store with changed methods. */
  readonly store?: ((store: MemoryStore) => StorePort) | undefined
  /** Currency of every amount; default `USD`. */
  readonly currency?: string | undefined
  /** Additional options of the integration. */
  readonly integration?: Partial<IntegrationOptions> | undefined
  /** Whether the page can read the shop's data and reset the shop; default false. */
  readonly hasDemo?: boolean | undefined
  /** Additional options of the playground. */
  readonly playground?: Partial<PlaygroundOptions> | undefined
}

/** A running shop with its playground. */
export interface RunningShop {
  readonly url: string
  readonly store: MemoryStore
  /** Stops the server immediately. */
  stop(): Promise<void>
}

/** Serves the seeded shop, its images and its playground on a free port. */
export async function startShop({
  store: change,
  currency,
  integration: more,
  hasDemo = false,
  playground,
}: ShopOptions = {}): Promise<RunningShop> {
  let handle: RequestListener = (_req, res) => res.end()
  const { url, stop } = await listening((req, res) => handle(req, res))

  const now = () => Date.parse(`${today}T12:00:00Z`)
  const store = createMemoryStore({ currency, publicUrl: url, now })
  const integration = createIntegration({ store: change?.(store) ?? store, apiKeys: [apiKey], ...more })
  const api = toNodeListener(integration)
  const demo = {
    readState: () => readShopState(store, seed(today)),
    reset: async () => {
      store.reset()
      return true
    },
  }
  const page = createPlayground({
    target: { baseUrl: url, apiKey },
    token,
    offered: integration.offered,
    currency: integration.currency,
    // Sets a name, because the default contains the port, which would be visible in the reference images.
    shopName: 'Corner Coffee',
    data: 'test',
    today: () => today,
    ...(hasDemo && { demo }),
    customers,
    actions: [
      { id: 'claim_discount_10off', label: 'Take 10% off my next box' },
      { id: 'join_waitlist_product_123', label: 'Tell me when it is back' },
      { id: 'change_to_quarterly', label: 'Send it every three months' },
      { id: 'register_webinar_march', label: 'Save me a seat in March' },
    ],
    discountCodes: ['TEST10', 'TEST20', 'COMEBACK15', 'FIVEOFF', 'EXPIRED5'],
    ...playground,
  })
  const handlePage = async (req: IncomingMessage, res: ServerResponse) => {
    if (!(await page(req, res))) sendImage(req, res)
  }
  handle = (req, res) => api(req, res, () => void handlePage(req, res))
  return { url, store, stop: async () => stop?.() }
}

/** Serves a shop until the test ends. */
export async function shopForTest(options: ShopOptions = {}): Promise<RunningShop> {
  const shop = await startShop(options)
  onTestFinished(shop.stop)
  return shop
}

/** Serves a request listener until the test ends; returns its URL. */
export async function urlForTest(answer: RequestListener, path = ''): Promise<string> {
  const { url, stop } = await listening(answer, path)
  onTestFinished(async () => stop?.())
  return url
}

function sendImage(req: IncomingMessage, res: ServerResponse): void {
  const file = new URL(`../../host${req.url}`, import.meta.url)
  if (!req.url?.startsWith('/images/') || !existsSync(file)) res.writeHead(404).end()
  else res.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end(readFileSync(file))
}
