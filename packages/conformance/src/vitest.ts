import type { EndpointName } from '@storeport/core'
import type { Check } from './engine/check.ts'
import type { CheckFailure } from './engine/check-end.ts'
import type { RunMode, RunOptions } from './engine/options.ts'
import type { Send } from './http/plain-http.ts'
import { sendByHttp } from './http/send.ts'
import { escapeUnsafe } from './http/escape.ts'
import { findingOf, findingRows } from './report/finding.ts'
import { mustsOf } from './report/musts.ts'
import { offeredBy } from './run/discover.ts'
import type { CheckResult } from './run/run-check.ts'
import { collectReport, runChecks, selectChecks } from './run/run-checks.ts'

/** The implementation under test. */
export interface Mount extends Pick<RunOptions, 'layer' | 'only' | 'unsupported' | 'skips'> {
  /** Starts a shop with the data of the profile. */
  start(): Promise<RunningShop>
  /** Whether to start a new shop for each check. A check without its test data then fails, and is not skipped. */
  readonly fresh?: boolean
  /** Mode of the run; defaults to `stress`. */
  readonly mode?: RunMode
}

/** A running shop. */
export interface RunningShop extends Pick<
  RunOptions,
  'apiKey' | 'secondApiKey' | 'profile' | 'names' | 'now' | 'clock'
> {
  /** Sends requests to the shop; defaults to HTTP requests to `url`. */
  readonly send?: Send
  /** URL of the shop. */
  readonly url?: string
  /** Resets the shop to its initial state. Called before each check. */
  reset?(): Promise<void>
  /** Stops the shop. */
  stop?(): Promise<void> | void
}

/** Context that vitest and node:test pass to a test. Jest does not pass a context. */
export interface TestContext {
  /** Marks the test as skipped. */
  skip(reason?: string): void
}

/** Functions of a test runner. vitest and Jest have `afterAll`. node:test has `after` instead. */
export interface TestFunctions {
  /** Groups tests. */
  describe(name: string, register: () => void): unknown
  /** Registers a test. node:test has no time limit and ignores `timeoutMs`. */
  it(name: string, run: (context?: TestContext) => Promise<void>, timeoutMs?: number): unknown
  /** Runs after the tests of a group. */
  afterAll?(run: () => Promise<void>): unknown
  /** Runs after the tests of a group. */
  after?(run: () => Promise<void>): unknown
}

/**
 * Registers one test for each check, in vitest, Jest or node:test. Await the call at the top level of a test file.
 *
 * `tests` defaults to the functions of the current test runner. Jest cannot skip a running test, so it reports a
 * skipped check as passed.
 */
export async function behavesLikeStorePort(name: string, mount: Mount, tests?: TestFunctions): Promise<void> {
  const { describe, it, afterAll, after } = tests ?? (await importTestFunctions())
  const shops = createShops(mount)
  const chosen = selectChecks({ mode: mount.mode ?? 'stress', layer: mount.layer, only: mount.only })
  describe(`${name} behaves like a StorePort`, () => {
    // The test function has no named parameter. If it had one, Jest would pass a callback instead of waiting for the
    // promise.
    for (const check of chosen)
      it(`${check.id}: ${check.title}`, (...[context]) => shops.try(check, context ?? cannotSkip), testTimeoutMs)
    it('every must was tested', async () => shops.expectAllTried(chosen))
    ;(afterAll ?? after)?.(() => shops.stop())
  })
}

/** Replacement for the missing context in Jest, where a running test cannot be skipped. */
const cannotSkip: TestContext = { skip() {} }

/** Time limit of a test, in milliseconds. It exceeds the limit of a check, whose error names the request. */
const testTimeoutMs = 180_000

/** Starts one shop for all checks, or a new shop for each check if `fresh` is set. */
function createShops(mount: Mount) {
  let shared: Promise<RunningShop> | undefined
  let offered: Promise<readonly EndpointName[]> | undefined
  const results: CheckResult[] = []

  async function attempt(check: Check, context: TestContext, shop: RunningShop): Promise<void> {
    if (check.isTimed === true && shop.clock === undefined)
      return context.skip('it waits 11 s. The command storeport-conformance runs this check, or a shop with `clock`')
    const options = optionsFor(shop, mount)
    offered ??= offeredBy({ ...options, mode: mount.mode })
    const run = runChecks({ ...options, mode: mount.mode ?? 'stress', only: [check.id], offered: await offered })
    const [result] = (await collectReport(run)).results
    if (result === undefined)
      return context.skip('stricter checks replace this check, because the shop offers more endpoints')
    results.push(result)
    if (result.outcome === 'skipped') context.skip(result.reason)
    if (result.failure === undefined) return
    // The error has no `cause`, because vitest would print all requests of the check after the message.
    throw new Error(describeFinding(result.failure, shop.url ?? 'http://localhost'))
  }

  return {
    async try(check: Check, context: TestContext): Promise<void> {
      if (mount.fresh !== true) return attempt(check, context, await (shared ??= mount.start()))
      const shop = await mount.start()
      try {
        await attempt(check, context, shop)
      } finally {
        await shop.stop?.()
      }
    },
    /** Rejects if a `must` or a risk was not tested, although every selected check of this requirement ran. */
    async expectAllTried(chosen: readonly Check[]): Promise<void> {
      const made = new Set(results.flatMap(({ check, cause }) => (cause?.kind === 'read-only' ? [] : check.id)))
      const leftOut = chosen.filter((check) => !made.has(check.id) && check.isTimed !== true)
      const { untested } = mustsOf(results, (await offered) ?? [], mount.mode ?? 'stress', false)
      const open = untested.filter(({ id }) => {
        const couldTry = ({ requirements }: Check) => requirements.some((cited) => cited === id)
        return results.some(({ check }) => couldTry(check)) && !leftOut.some(couldTry)
      })
      if (open.length > 0)
        throw new Error(open.map(({ id, sentence, remedy }) => `${id}: ${sentence} Required: ${remedy}.`).join('\n'))
    },
    async stop(): Promise<void> {
      await (await shared)?.stop?.()
    },
  }
}

function optionsFor(shop: RunningShop, { unsupported, skips, fresh }: Mount): RunOptions {
  const { url, reset, apiKey, secondApiKey, profile, names, now, clock } = shop
  const send = shop.send ?? (url === undefined ? undefined : sendByHttp(url))
  if (send === undefined) throw new TypeError('mount: start() must return `send` or `url`')
  const given = { send, apiKey, secondApiKey, profile, names, now, clock, unsupported, skips, fresh }
  // Tests use a disposable shop, so checks may change its data permanently.
  return { ...given, disposable: true, reset: reset === undefined ? undefined : () => reset.call(shop) }
}

/** Imports the current test runner. The module name is a variable, so that bundlers do not bundle vitest. */
async function importTestFunctions(): Promise<TestFunctions> {
  return import(nameRunner())
}

/** Returns the module name of the current test runner. Detects the test runner by its environment variables. */
function nameRunner(): string {
  if (process.env['VITEST'] !== undefined) return 'vitest'
  return process.env['JEST_WORKER_ID'] === undefined ? 'node:test' : '@jest/globals'
}

/** Returns the error message of a failed test, with the same lines as the reports. */
function describeFinding(failure: CheckFailure, baseUrl: string): string {
  const rows = findingRows(findingOf(failure, baseUrl)).map(({ name, value }) => `${name.padEnd(14)} ${value}`)
  return escapeUnsafe([`${failure.requirement}: expected ${failure.expected}`, ...rows].join('\n  '))
}
