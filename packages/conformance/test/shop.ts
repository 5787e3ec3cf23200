import { createIntegration, type IntegrationOptions } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { type CheckResult, collectReport, runChecks, type RunOptions, type Send, sendTo } from '../src/index.ts'
import type { RunningShop } from '../src/vitest.ts'

/** The two keys that the shops of these tests accept. */
export const apiKey = 'conformance-key-0001'
/** The second of the two keys. */
export const secondApiKey = 'conformance-key-0002'

/** A shop with the seed in memory, as a fetch handler. */
export function createShop(options: Partial<IntegrationOptions> = {}): (request: Request) => Promise<Response> {
  const integration = createIntegration({ store: createMemoryStore(), apiKeys: [apiKey, secondApiKey], ...options })
  return (request) => integration.fetch(request)
}

/** The same as a mount starts it. */
export async function startShop(options: Partial<IntegrationOptions> = {}): Promise<RunningShop> {
  return { send: sendTo(createShop(options)), apiKey, secondApiKey }
}

/** A handler that changes what a good shop answers. */
export function shopThat(change: (response: Response, request: Request) => Response | Promise<Response>): Send {
  const shop = createShop()
  return sendTo(async (request) => change(await shop(request), request))
}

/** The outcome of a check, by default on a correct shop. */
export async function resultOf(id: string, options: Partial<RunOptions> = {}): Promise<CheckResult> {
  const { results } = await collectReport(
    runChecks({ send: sendTo(createShop()), apiKey, mode: 'stress', only: [id], ...options }),
  )
  const [result] = results
  if (result === undefined) throw new Error(`no check ${id}`)
  return result
}
