import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createReport,
  parseProfile,
  type Report,
  reportResult,
  runChecks,
  type RunReport,
  selectChecks,
  toHtml,
} from '@storeport/conformance'
import { hideKey } from './hide-key.ts'
import { type StyledPage, styleReport } from './html-pages.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import type { CheckLine, CheckMode } from './protocol.ts'
import { readJson, readMode } from './read-requests.ts'
import { securityHeaders } from './security-headers.ts'
import type { ShopConnection } from './shop-connection.ts'
import { reject, writeHtml } from './write-response.ts'

/** Conformance checks of a shop. Only one run can be active at a time. */
export interface Checks {
  /** Runs the checks and streams each result as a line of JSON; stops when the client disconnects. */
  run(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Sends the HTML report of the last complete run, or 404 if no run has completed. */
  writeReport(res: ServerResponse): void
}

/** Creates the conformance checks of a shop. Stores the last report in memory. */
export function createChecks(options: PlaygroundOptions, shop: ShopConnection): Checks {
  let isRunning = false
  let page: StyledPage | undefined
  return {
    async run(req, res) {
      const mode = readMode(await readJson(req, res))
      if (isRunning) return reject(res, 409, 'checks_running', 'The checks are already running.')
      isRunning = true
      const saveReport = (report: Report) => void (page = styleReport(toHtml(report)))
      await streamChecks(res, mode, options, shop, saveReport).finally(() => (isRunning = false))
    },
    writeReport(res) {
      if (page === undefined) return reject(res, 404, 'file_not_found', 'Report not found. Run the checks first.')
      writeHtml(res, 200, page)
    },
  }
}

/** Reasons for skipped checks, by check id. A run in test mode cannot compare the test store with the real store. */
const skippedInTestMode = Object.fromEntries(
  selectChecks({ mode: 'stress', only: ['testMode'] }).map(({ id }) => [
    id,
    'every request in this run uses test mode',
  ]),
)

/** Streams the results. Before the last line, calls `saveReport` with the report without API keys. */
async function streamChecks(
  res: ServerResponse,
  mode: CheckMode,
  options: PlaygroundOptions,
  shop: ShopConnection,
  saveReport: (report: Report) => void,
): Promise<void> {
  const { testMode = options.testMode ?? false, ...overrides } = options.checks ?? {}
  const { profile = parseProfile({}), now, offered } = options
  const { apiKey, names } = shop
  const hide = (_name: string, value: unknown) => {
    return typeof value === 'string' ? hideKey(hideKey(value, apiKey), overrides.secondApiKey ?? '') : value
  }
  const write = (line: CheckLine) => void res.write(`${JSON.stringify(line, hide)}\n`)
  res.writeHead(200, { ...securityHeaders, 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
  const started = new Date()
  try {
    const send = shop.sender(testMode, 'http')
    const skips = { ...(testMode && skippedInTestMode), ...overrides.skips }
    const run = {
      send,
      apiKey,
      names,
      profile,
      now,
      disposable: testMode,
      waits: true,
      ...overrides,
      skips,
      mode,
      offered,
    }
    for await (const event of runChecks(run)) {
      if (res.destroyed) return
      if (event.type === 'start') write({ type: 'start', total: event.checks.length })
      else if (event.type === 'wait') write(event)
      else if (event.type === 'result')
        write({ type: 'result', outcome: reportResult(event.result, shop.baseUrl(), false).outcome })
      else if (event.type === 'end') {
        const report: Report = JSON.parse(JSON.stringify(buildReport(event.report, mode, started, options, shop), hide))
        saveReport(report)
        write({ type: 'end', verdict: report.verdict })
      }
    }
  } catch (error) {
    write({ type: 'problem', message: error instanceof Error ? error.message : 'the checks failed to run' })
  } finally {
    res.end()
  }
}

function buildReport(
  run: RunReport,
  mode: CheckMode,
  started: Date,
  { profile }: PlaygroundOptions,
  shop: ShopConnection,
): Report {
  return createReport({
    ...run,
    kit: 'the playground',
    baseUrl: shop.baseUrl(),
    basePath: shop.names.basePath,
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    mode,
    only: [],
    strict: false,
    profile: profile === undefined ? 'none' : 'from the playground',
    problem: undefined,
    hasOptions: false,
  })
}
