import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createReport,
  parseProfile,
  type Report,
  reportResult,
  runChecks,
  type RunReport,
  toHtml,
} from '@storeport/conformance'
import { hideKey } from './hide-key.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import type { CheckLine, CheckMode } from './protocol.ts'
import { readJson, readMode } from './read-requests.ts'
import { closedPolicy, securityHeaders } from './security-headers.ts'
import type { ShopConnection } from './shop-connection.ts'
import { refuse, writeHtml } from './write-answer.ts'

/** The conformance checks of a shop, one run at a time. */
export interface Checks {
  /** Runs the checks and sends each result as a line of JSON; stops when the client is gone. */
  run(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Answers with the kit's page of the last whole run; a run that broke off does not replace it. */
  writeReport(res: ServerResponse): void
}

/** Makes the checks of a shop; the last report is kept in memory until the host ends. */
export function createChecks(options: PlaygroundOptions, shop: ShopConnection): Checks {
  let isRunning = false
  let page: string | undefined
  return {
    async run(req, res) {
      const mode = readMode(await readJson(req, res))
      if (isRunning) return refuse(res, 409, 'checks_running', 'The checks are being made already.')
      isRunning = true
      const keep = (report: Report) => void (page = toHtml(report))
      await streamChecks(res, mode, options, shop, keep).finally(() => (isRunning = false))
    },
    writeReport(res) {
      if (page === undefined) return refuse(res, 404, 'file_not_found', 'Run the checks first.')
      // What a shop sent is escaped, so that the first style is the kit's own.
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? []
      writeHtml(res, 200, page, closedPolicy(style, "'self'"))
    },
  }
}

/** Hands the report of a whole run to `keep`, without the keys, before the client reads that the run is over. */
async function streamChecks(
  res: ServerResponse,
  mode: CheckMode,
  options: PlaygroundOptions,
  shop: ShopConnection,
  keep: (report: Report) => void,
): Promise<void> {
  const { testMode = options.testMode ?? false, ...differences } = options.checks ?? {}
  const { profile = parseProfile({}), now, offered } = options
  const { apiKey, names } = shop
  const hide = (_name: string, value: unknown) => {
    return typeof value === 'string' ? hideKey(hideKey(value, apiKey), differences.secondApiKey ?? '') : value
  }
  const write = (line: CheckLine) => void res.write(`${JSON.stringify(line, hide)}\n`)
  res.writeHead(200, { ...securityHeaders, 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
  const started = new Date()
  try {
    const send = shop.sender(testMode, 'http')
    const run = { send, apiKey, names, profile, now, disposable: testMode, ...differences, mode, offered }
    for await (const event of runChecks(run)) {
      if (res.destroyed) return
      if (event.type === 'start') write({ type: 'start', total: event.checks.length })
      else if (event.type === 'result')
        write({ type: 'result', outcome: reportResult(event.result, shop.baseUrl(), false).outcome })
      else if (event.type === 'end') {
        const report: Report = JSON.parse(JSON.stringify(reportOf(event.report, mode, started, options, shop), hide))
        keep(report)
        write({ type: 'end', verdict: report.verdict, sentences: report.sentences })
      }
    }
  } catch (error) {
    write({ type: 'problem', message: error instanceof Error ? error.message : 'the checks could not be made' })
  } finally {
    res.end()
  }
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
