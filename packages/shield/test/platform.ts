import { type Context, type CurrentSubscription, StoreError, type StorePort } from '@storeport/core'

/** A platform that answers after some time: a subscription of each customer, whose billing date says how often it was delayed. */
export interface Platform {
  /** The store over it. */
  readonly store: StorePort
  /** The calls that reached it, in their order: method and subject. */
  readonly calls: string[]
  /** When each of them reached it, in milliseconds. */
  readonly at: number[]
  /** How long it takes to answer, in milliseconds. */
  tookMs: number
  /** What it throws in place of an answer. */
  failure: Error | undefined
}

const first = Date.UTC(2026, 0, 1)
const dayMs = 86_400_000

/** How often a subscription was delayed. */
export function delaysOf(subscription: unknown): number {
  const { next_billing_date }: { next_billing_date?: string } = Object(subscription)
  return Math.round((Date.parse(next_billing_date ?? '') - first) / dayMs)
}

/** Starts a platform. */
export function startPlatform(): Platform {
  const delays = new Map<string, number>()

  async function answer<Result>(call: string, result: () => Result): Promise<Result> {
    platform.calls.push(call)
    platform.at.push(performance.now())
    const { failure } = platform
    const took = new Promise((resume) => setTimeout(resume, platform.tookMs))
    if (failure !== undefined) return took.then(() => Promise.reject(failure))
    // What it looked up, or did, before it took its time.
    const answered = result()
    await took
    return answered
  }

  const store: StorePort = {
    getSubscription: ({ email }) =>
      answer(`getSubscription ${email.toLowerCase()}`, (): CurrentSubscription => {
        if (email.startsWith('nobody')) throw new StoreError('customer_not_found')
        const date = new Date(first + (delays.get(email.toLowerCase()) ?? 0) * dayMs).toISOString().slice(0, 10)
        return { items: [], next_billing_date: date }
      }),
    listProducts: ({ email }) => answer(`listProducts ${email ?? 'general'}`, () => ({ products: [] })),
    getDiscount: ({ discount_code }) =>
      answer(`getDiscount ${discount_code}`, () => ({ discount_type: 'percentage', discount_percentage: 10 })),
    delaySubscription: ({ email }) =>
      answer(`delaySubscription ${email}`, () => {
        delays.set(email.toLowerCase(), (delays.get(email.toLowerCase()) ?? 0) + 1)
      }),
    reconcile: (...[name]) => answer(`reconcile ${name}`, () => 'applied'),
  }
  const platform: Platform = { store, calls: [], at: [], tookMs: 300, failure: undefined }
  return platform
}

/** What a method receives besides its input. */
export function contextOf(testMode = false): Context {
  return {
    requestId: 'a-request',
    signal: AbortSignal.timeout(60_000),
    idempotencyKey: crypto.randomUUID(),
    testMode,
  }
}
