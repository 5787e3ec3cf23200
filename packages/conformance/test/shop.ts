import { createIntegration, type IntegrationOptions } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import {
  type CheckResult,
  type Clock,
  collectReport,
  createReport,
  type Report,
  type ReportInput,
  runChecks,
  type RunOptions,
  type Send,
  sendTo,
} from '../src/index.ts'
import type { RunningShop } from '../src/vitest.ts'

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

/**
 * Runs a check and returns its result. Defaults to a correct shop. Rejects if no check has this id, or if stricter
 * checks replace it.
 */
export async function resultOf(id: string, options: Partial<RunOptions> = {}): Promise<CheckResult> {
  const { results } = await collectReport(
    runChecks({ send: sendTo(createShop()), apiKey, mode: 'stress', only: [id], clock, ...options }),
  )
  const [result] = results
  if (result === undefined) throw new Error(`no check ${id}`)
  return result
}

/** Limits the exploration, which has its own tests. */
const briefly = { seed: 1, timeMs: 100 }

/** Runs checks and returns the report. By default, runs all checks of the default mode on a correct shop. */
export async function reportOf(options: Partial<RunOptions>, words: Partial<ReportInput> = {}): Promise<Report> {
  const { mode = 'default', only = [] } = options
  const run = runChecks({ send: sendTo(createShop()), apiKey, mode, clock, explore: briefly, ...options })
  return createReport({
    ...(await collectReport(run)),
    kit: 'kit',
    baseUrl: 'http://shop.example',
    basePath: '/integration',
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 1,
    mode,
    only,
    strict: false,
    profile: 'of the test',
    problem: undefined,
    ...words,
  })
}
