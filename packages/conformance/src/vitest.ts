import type { EndpointName } from '@storeport/core'
import type { Check } from './engine/check.ts'
import type { CheckFailure } from './engine/check-end.ts'
import type { RunMode, RunOptions } from './engine/options.ts'
import type { Send } from './http/plain-http.ts'
import { sendByHttp } from './http/send.ts'
import { findingOf, findingRows } from './report/finding.ts'
import { mustsOf } from './report/musts.ts'
import { offeredBy } from './run/discover.ts'
import type { CheckResult } from './run/run-check.ts'
import { collectReport, runChecks, selectChecks } from './run/run-checks.ts'

/** How to bring up the implementation under test. */
export interface Mount extends Pick<RunOptions, 'layer' | 'only' | 'cannot' | 'skips'> {
  /** Starts a shop with the data of the profile. */
  start(): Promise<RunningShop>
  /** Starts a shop for each check rather than one for all: then no check may be skipped because of what others did. */
  readonly fresh?: boolean
  /** How far to go; default `stress`. */
  readonly mode?: RunMode
}

/** A shop that was started. */
export interface RunningShop extends Pick<RunOptions, 'apiKey' | 'secondApiKey' | 'profile' | 'names' | 'now'> {
  /** The way to it; without one, `url` is called over HTTP. */
  readonly send?: Send
  /** Its address. */
  readonly url?: string
  /** Brings it back to its start; called before each check. */
  reset?(): Promise<void>
  /** Ends it. */
  stop?(): Promise<void> | void
}

/** What vitest and node:test hand to a test. */
export interface TestContext {
  /** Counts the test as skipped. */
  skip(reason?: string): void
}

/** The functions of a test runner; vitest calls the last one `afterAll`, node:test `after`. */
export interface TestFunctions {
  /** Groups tests. */
  describe(name: string, register: () => void): unknown
  /** Registers a test. */
  it(name: string, run: (context: TestContext) => Promise<void>): unknown
  /** Runs after the tests of a group. */
  afterAll?(run: () => Promise<void>): unknown
  /** Runs after the tests of a group. */
  after?(run: () => Promise<void>): unknown
}

/**
 * Registers one test for each check on an implementation, in vitest or node:test; await it at the top of a test file.
 *
 * Without `tests` the functions of the runner in which it is called are used.
 */
export async function behavesLikeStorePort(name: string, mount: Mount, tests?: TestFunctions): Promise<void> {
  const { describe, it, afterAll, after } = tests ?? (await runningTestFunctions())
  const shops = createShops(mount)
  const chosen = selectChecks({ mode: mount.mode ?? 'stress', layer: mount.layer, only: mount.only })
  describe(`${name} behaves like a StorePort`, () => {
    for (const check of chosen) it(`${check.id}: ${check.title}`, (context) => shops.try(check, context))
    it('every must was tried', async () => shops.expectAllTried(chosen))
    ;(afterAll ?? after)?.(() => shops.stop())
  })
}

/** Starts a shop when the first check needs it, and keeps it or makes a new one for each check, as the mount wants. */
function createShops(mount: Mount) {
  let kept: Promise<RunningShop> | undefined
  let offered: Promise<readonly EndpointName[]> | undefined
  const results: CheckResult[] = []

  async function attempt(check: Check, context: TestContext, shop: RunningShop): Promise<void> {
    const options = optionsFor(shop, mount)
    offered ??= offeredBy(options)
    const run = runChecks({ ...options, mode: 'stress', only: [check.id], offered: await offered })
    const [result] = (await collectReport(run)).results
    if (result === undefined) return context.skip('the shop offers what lets other checks see more')
    results.push(result)
    if (result.outcome === 'skipped') context.skip(result.reason)
    if (result.failure === undefined) return
    throw new Error(describeFinding(result.failure, shop.url ?? 'http://localhost'), { cause: result.failure })
  }

  return {
    async try(check: Check, context: TestContext): Promise<void> {
      if (mount.fresh !== true) return attempt(check, context, await (kept ??= mount.start()))
      const shop = await mount.start()
      try {
        await attempt(check, context, shop)
      } finally {
        await shop.stop?.()
      }
    },
    /** Throws when a specified requirement was not tried, though all the checks were made that could try it. */
    async expectAllTried(chosen: readonly Check[]): Promise<void> {
      const made = new Set(results.map(({ check }) => check.id))
      const leftOut = chosen.filter((check) => !made.has(check.id))
      const { untried } = mustsOf(results, (await offered) ?? [], mount.mode ?? 'stress')
      const open = untried.filter(({ id }) => {
        const couldTry = ({ requirements }: Check) => requirements.some((cited) => cited === id)
        return results.some(({ check }) => couldTry(check)) && !leftOut.some(couldTry)
      })
      if (open.length > 0)
        throw new Error(open.map(({ id, sentence, give }) => `${id}: ${sentence} It takes ${give}.`).join('\n'))
    },
    async stop(): Promise<void> {
      await (await kept)?.stop?.()
    },
  }
}

function optionsFor(shop: RunningShop, { cannot, skips, fresh }: Mount): RunOptions {
  const { url, reset, apiKey, secondApiKey, profile, names, now } = shop
  const send = shop.send ?? (url === undefined ? undefined : sendByHttp(url))
  if (send === undefined) throw new TypeError('mount: start() must answer with `send` or `url`')
  const given = { send, apiKey, secondApiKey, profile, names, now, cannot, skips, fresh }
  // A shop that a test starts ends with it.
  return { ...given, disposable: true, reset: reset === undefined ? undefined : () => reset.call(shop) }
}

/** Imported by a name that no bundler sees, so that neither runner becomes a dependency. */
async function runningTestFunctions(): Promise<TestFunctions> {
  const runner: string = process.env['VITEST'] === undefined ? 'node:test' : 'vitest'
  return import(runner)
}

/** What a test runner shows of a failure: below its point the same lines as in every report. */
function describeFinding(failure: CheckFailure, baseUrl: string): string {
  const rows = findingRows(findingOf(failure, baseUrl)).map(({ name, value }) => `${name.padEnd(10)} ${value}`)
  return [`${failure.requirement}: expected ${failure.expected}`, ...rows].join('\n  ')
}
