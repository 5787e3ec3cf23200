import { type Context, type CurrentSubscription, StoreError, type StorePort } from '@storeport/core'

/** A simulated slow platform. Each customer has a subscription. Each delay moves the billing date by one day. */
export interface Platform {
  /** Store that calls the platform. */
  readonly store: StorePort
  /** Received calls, oldest first. Each has the method and the subject, such as `getDiscount TEN`. */
  readonly calls: string[]
  /** Time of each received call, in milliseconds. */
  readonly at: number[]
  /** Response time of each call, in milliseconds. */
  tookMs: number
  /** Error to throw instead of a response. */
  failure: Error | undefined
}

const first = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000

/** Returns how many times a subscription was delayed. */
export function delaysOf(subscription: unknown): number {
  const { next_billing_date }: { next_billing_date?: string } = Object(subscription)
  return Math.round((Date.parse(next_billing_date ?? '') - first) / dayMs)
}

/** Creates a platform with a response time of 300 ms. */
export function startPlatform(): Platform {
  const delays = new Map<string, number>()

  async function respond<Result>(call: string, result: () => Result): Promise<Result> {
    platform.calls.push(call)
    platform.at.push(performance.now())
    const { failure } = platform
    const took = new Promise((resume) => setTimeout(resume, platform.tookMs))
    if (failure !== undefined) return took.then(() => Promise.reject(failure))
    // Reads or changes the data before the delay, so that a slow read can return outdated data.
    const response = result()
    await took
    return response
  }

  const store: StorePort = {
    getSubscription: ({ email }) =>
      respond(`getSubscription ${email.toLowerCase()}`, (): CurrentSubscription => {
        if (email.startsWith('nobody')) throw new StoreError('customer_not_found')
        const date = new Date(first + (delays.get(email.toLowerCase()) ?? 0) * dayMs).toISOString().slice(0, 10)
        return { items: [], next_billing_date: date }
      }),
    listProducts: ({ email }) => respond(`listProducts ${email ?? 'general'}`, () => ({ products: [] })),
    getDiscount: ({ discount_code }) =>
      respond(`getDiscount ${discount_code}`, () => ({ discount_type: 'percentage', discount_percentage: 10 })),
    delaySubscription: ({ email }) =>
      respond(`delaySubscription ${email}`, () => {
        delays.set(email.toLowerCase(), (delays.get(email.toLowerCase()) ?? 0) + 1)
      }),
    reconcile: (...[name]) => respond(`reconcile ${name}`, () => 'applied'),
  }
  const platform: Platform = { store, calls: [], at: [], tookMs: 300, failure: undefined }
  return platform
}

/** Creates the context of a method call. */
export function contextOf(testMode = false): Context {
  return {
    requestId: 'a-request',
    signal: AbortSignal.timeout(60_000),
    idempotencyKey: crypto.randomUUID(),
    testMode,
  }
}
