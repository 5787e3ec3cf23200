import { Stripe } from 'stripe'
import { stripeApiVersion } from '../stripe/settings.ts'

/** API key and base URL of a Stripe account. */
export interface Account {
  readonly key: string
  readonly url: URL
}

/** The network between `verify` and Stripe. */
export interface Network {
  /** Number of the next responses to changes that the client does not receive. */
  lost: number
  /** Test clock of the customers. Without this id, Stripe's customer list omits them. */
  clock?: string
  /** After this signal, requests fail without being sent. Requests that were already sent complete. */
  interruption: AbortSignal | undefined
}

/** Returns a notice if the account is on a stand-in. */
export function standInNotice({ url }: Account): string | undefined {
  if (url.hostname === 'api.stripe.com') return undefined
  return `This command runs against a stand-in (${url.host}), not against Stripe. Its output shows nothing about Stripe.`
}

/** Creates a Stripe client that sends its requests through `network`. */
export function connect({ key, url }: Account, network: Network = { lost: 0, interruption: undefined }): Stripe {
  const send = async (target: string | URL | Request, init?: RequestInit) => {
    const address = new URL(target instanceof Request ? target.url : target)
    const { method = 'GET' } = init ?? {}
    if (network.clock !== undefined && method === 'GET' && address.pathname === '/v1/customers')
      address.searchParams.set('test_clock', network.clock)
    network.interruption?.throwIfAborted()
    const response = await fetch(address, init)
    if (network.lost === 0 || method === 'GET' || address.pathname.endsWith('/create_preview')) return response
    network.lost -= 1
    throw new TypeError('The response was lost.')
  }
  return new Stripe(key, {
    apiVersion: stripeApiVersion,
    host: url.hostname,
    ...(url.port !== '' && { port: url.port }),
    protocol: url.protocol === 'http:' ? 'http' : 'https',
    httpClient: Stripe.createFetchHttpClient(send),
    maxNetworkRetries: 0,
    telemetry: false,
  })
}
