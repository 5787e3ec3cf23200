import type { ServerResponse } from 'node:http'
import {
  type CheckResult,
  createReport,
  findingRows,
  parseProfile,
  reportResult,
  runChecks,
  type RunOptions,
  type RunReport,
} from '@storeport/conformance'
import { hideKey } from './hide-key.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import type { CheckLine, CheckMode, CheckOutcome, CheckVerdict } from './protocol.ts'
import { securityHeaders } from './security-headers.ts'
import type { ShopConnection } from './shop-connection.ts'

/** Makes the conformance checks on the shop and sends each result as a line of JSON; stops when nobody listens any more. */
export async function streamChecks(
  res: ServerResponse,
  mode: CheckMode,
  options: PlaygroundOptions,
  shop: ShopConnection,
): Promise<void> {
  const { secondApiKey = '' } = options.checks ?? {}
  const hide = (_name: string, value: unknown) => {
    return typeof value === 'string' ? hideKey(hideKey(value, shop.apiKey), secondApiKey) : value
  }
  const write = (line: CheckLine) => void res.write(`${JSON.stringify(line, hide)}\n`)
  res.writeHead(200, { ...securityHeaders, 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
  const started = new Date()
  try {
    const run = runOptions(options, shop)
    for await (const event of runChecks({ ...run, mode, offered: options.offered })) {
      if (res.destroyed) return
      if (event.type === 'start') write({ type: 'start', total: event.checks.length })
      else if (event.type === 'result') write({ type: 'result', ...outcomeOf(event.result, shop) })
      else if (event.type === 'end') write({ type: 'end', ...verdictOf(event.report, mode, started, options, shop) })
    }
  } catch (error) {
    write({ type: 'problem', message: error instanceof Error ? error.message : 'the checks could not be made' })
  } finally {
    res.end()
  }
}

function runOptions(options: PlaygroundOptions, shop: ShopConnection): RunOptions {
  const { testMode = options.testMode ?? false, ...differences } = options.checks ?? {}
  return {
    send: shop.sender(testMode),
    apiKey: shop.apiKey,
    names: shop.names,
    profile: options.profile ?? parseProfile({}),
    now: options.now,
    disposable: testMode,
    ...differences,
  }
}

function outcomeOf(result: CheckResult, shop: ShopConnection): CheckOutcome {
  const { id, title, outcome, reason, durationMs, finding } = reportResult(result, shop.baseUrl(), false)
  return { id, title, outcome, reason, durationMs, rows: finding === null ? [] : findingRows(finding) }
}

function verdictOf(
  found: RunReport,
  mode: CheckMode,
  started: Date,
  { profile }: PlaygroundOptions,
  shop: ShopConnection,
): CheckVerdict {
  const { verdict, sentences, causes } = createReport({
    ...found,
    kit: 'the playground',
    baseUrl: shop.baseUrl(),
    basePath: shop.names.basePath,
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    mode,
    only: [],
    strict: false,
    profile: profile === undefined ? 'none' : 'that of the playground',
    problem: undefined,
  })
  return { verdict, sentences, causes }
}
