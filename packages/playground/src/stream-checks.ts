import type { ServerResponse } from 'node:http'
import {
  type CheckResult,
  createReport,
  findingRows,
  parseProfile,
  type Report,
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

/** Makes the conformance checks on the shop and sends each result as a line of JSON; stops when nobody listens any more. The report of a whole run is returned, without the keys. */
export async function streamChecks(
  res: ServerResponse,
  mode: CheckMode,
  options: PlaygroundOptions,
  shop: ShopConnection,
): Promise<Report | undefined> {
  const { secondApiKey = '' } = options.checks ?? {}
  const hide = (_name: string, value: unknown) => {
    return typeof value === 'string' ? hideKey(hideKey(value, shop.apiKey), secondApiKey) : value
  }
  const write = (line: CheckLine) => void res.write(`${JSON.stringify(line, hide)}\n`)
  let whole: Report | undefined
  res.writeHead(200, { ...securityHeaders, 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
  const started = new Date()
  try {
    const run = runOptions(options, shop)
    for await (const event of runChecks({ ...run, mode, offered: options.offered })) {
      if (res.destroyed) return undefined
      if (event.type === 'start') write({ type: 'start', total: event.checks.length })
      else if (event.type === 'result') write({ type: 'result', ...outcomeOf(event.result, shop) })
      else if (event.type === 'end') {
        whole = JSON.parse(JSON.stringify(reportOf(event.report, mode, started, options, shop), hide))
        if (whole !== undefined) write({ type: 'end', ...verdictOf(whole) })
      }
    }
  } catch (error) {
    write({ type: 'problem', message: error instanceof Error ? error.message : 'the checks could not be made' })
  } finally {
    res.end()
  }
  return whole
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

function reportOf(
  found: RunReport,
  mode: CheckMode,
  started: Date,
  { profile }: PlaygroundOptions,
  shop: ShopConnection,
): Report {
  return createReport({
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
}

function verdictOf({ verdict, sentences, causes, groups }: Report): CheckVerdict {
  return {
    verdict,
    sentences,
    causes,
    groups: groups.map(({ title, results }) => ({ title, checks: results.map(({ id }) => id) })),
  }
}
