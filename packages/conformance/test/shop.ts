import { createIntegration, type IntegrationOptions } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { runOfTest } from '@storeport/testing/stores/check-shop'
import {
  type CheckResult,
  type Clock,
  collectReport,
  createReport,
  type Report,
  type ReportInput,
  runChecks,
  type RunOptions,
  type RunReport,
  seedProfile,
  type Send,
  sendTo,
} from '../src/index.ts'
import { behavesLikeStorePort, type RunningShop } from '../src/vitest.ts'

/** First API key that the test shops accept. */
export const apiKey = 'conformance-key-0001'
/** Second API key that the test shops accept. */
export const secondApiKey = 'conformance-key-0002'

let aheadMs = 0

/** Clock of the checks that advances instead of waiting. A shop with another clock receives the repeats immediately. */
export const clock: Clock = {
  now: () => performance.now() + aheadMs,
  sleep: async (ms) => void (aheadMs += ms),
}

/** Creates a shop with seed data in memory. Returns its fetch handler. */
export function createShop(options: Partial<IntegrationOptions> = {}): (request: Request) => Promise<Response> {
  const integration = createIntegration({ store: createMemoryStore(), apiKeys: [apiKey, secondApiKey], ...options })
  return (request) => integration.fetch(request)
}

/** Creates a shop that returns the stored response for each repeat without a key, also after another change. */
export function createReplayingShop(): (request: Request) => Promise<Response> {
  const shop = createShop()
  const stored = new Map<string, Response>()
  return async (request) => {
    const click = `${request.url} ${await request.clone().text()}`
    const isPlain = request.method === 'POST' && !request.headers.has('Idempotency-Key')
    const response = (isPlain ? stored.get(click) : undefined) ?? (await shop(request))
    if (isPlain && response.status === 200) stored.set(click, response.clone())
    return response.clone()
  }
}

/** Creates a shop with seed data in memory for `behavesLikeStorePort`. */
export async function startShop(options: Partial<IntegrationOptions> = {}): Promise<RunningShop> {
  return { send: sendTo(createShop(options)), apiKey, secondApiKey }
}

/** Returns a `Send` to a correct shop. `change` replaces each response. */
export function shopThat(change: (response: Response, request: Request) => Response | Promise<Response>): Send {
  const shop = createShop()
  return sendTo(async (request) => change(await shop(request), request))
}

/** Returns a `Send` to a correct shop, with another response to requests whose URL contains `part`. */
export function shopWith(part: string | RegExp, answer: () => Response | Promise<Response>): Send {
  return shopThat((response, { url }) => (url.match(part) === null ? response : answer()))
}

/** Reads the subscription of a customer. Returns the body of the response. */
export async function readSubscription(send: Send, email = seedProfile.customers.subscribed): Promise<string> {
  const target = `/integration/customer-portal/subscription?email=${email}`
  return (await send({ method: 'GET', target, headers: [['X-Integration-API-Key', apiKey]] })).body
}

/** Runs checks. By default, runs all checks of the default mode on a correct shop. */
export function runOn(options: Partial<RunOptions>): Promise<RunReport> {
  return collectReport(runChecks({ send: sendTo(createShop()), apiKey, clock, ...options }))
}

/** Runs checks and returns the message of each failure. */
export async function failuresOf(options: Partial<RunOptions>): Promise<readonly string[]> {
  const { results } = await runOn(options)
  return results.flatMap(({ check, failure }) => (failure === undefined ? [] : [`${check.id}: ${failure.message}`]))
}

/** Registers the tests of `behavesLikeStorePort` with a test runner that only collects them. */
export async function testsOf(mount: Parameters<typeof behavesLikeStorePort>[1]) {
  const tests: { readonly name: string; readonly run: () => Promise<void> }[] = []
  await behavesLikeStorePort('a shop', mount, {
    describe: (_name, register) => register(),
    it: (name, run) => tests.push({ name, run: () => run({ skip() {} }) }),
  })
  return tests
}

/** Runs a check, by default on a correct shop. Rejects if no check has this id, or if stricter checks replace it. */
export async function resultOf(id: string, options: Partial<RunOptions> = {}): Promise<CheckResult> {
  const { results } = await runOn({ mode: 'stress', only: [id], ...options })
  const [result] = results
  if (result === undefined) throw new Error(`no check ${id}`)
  return result
}

/** Limits the exploration, which has its own tests. */
const briefly = { seed: 1, timeMs: 100 }

/** Runs checks and returns the report. By default, runs all checks of the default mode on a correct shop. */
export async function reportOf(options: Partial<RunOptions>, words: Partial<ReportInput> = {}): Promise<Report> {
  const { mode = 'default', only = [] } = options
  const run = await runOn({ mode, explore: briefly, ...options })
  return createReport({ ...run, ...runOfTest, mode, only, ...words })
}
