import type { IncomingMessage, ServerResponse } from 'node:http'
import { callShop } from './call-shop.ts'
import { callTwice } from './call-twice.ts'
import { createDescription } from './describe-playground.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { readCall, readDoubleClick, readJson, readMode, readTimeRequest } from './read-requests.ts'
import { createReportPage } from './report-page.ts'
import type { ShopConnection } from './shop-connection.ts'
import { streamChecks } from './stream-checks.ts'
import { refuse, writeJson } from './write-answer.ts'

/** What answers a call of the page. */
export interface PageCall {
  /** The method that it takes. */
  readonly method: 'GET' | 'POST'
  /** Answers it; what it throws is told to the page. */
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>
}

/** Makes the calls of the page by their paths; throws TypeError for an unknown currency. */
export function createPageCalls(
  options: PlaygroundOptions,
  shop: ShopConnection,
): Readonly<Record<string, PageCall | undefined>> {
  const { beside: { look, moveDate, reset } = {}, testMode = false } = options
  const describe = createDescription(options, shop)
  const report = createReportPage()
  let checksRun = false

  const runChecks = async (req: IncomingMessage, res: ServerResponse) => {
    const mode = readMode(await readJson(req, res))
    if (checksRun) return refuse(res, 409, 'checks_running', 'The checks are being made already.')
    checksRun = true
    report.keep(await streamChecks(res, mode, options, shop).finally(() => (checksRun = false)))
  }

  return {
    '/playground/config': get(describe),
    '/playground/call': post((body) => callShop(shop, readCall(body), testMode)),
    '/playground/call-twice': post((body) => callTwice(shop, readCall(body), readDoubleClick(body), testMode)),
    '/playground/checks': { method: 'POST', answer: runChecks },
    '/playground/report': { method: 'GET', answer: async (_req, res) => report.write(res) },
    '/playground/shop': look ? get(look) : notOffered('GET'),
    '/playground/time': moveDate ? post((body) => moveDate(readTimeRequest(body))) : notOffered('POST'),
    '/playground/reset': reset ? post(() => reset()) : notOffered('POST'),
  }
}

function notOffered(method: PageCall['method']): PageCall {
  const message = 'This is offered where the data is the host’s own alone.'
  return { method, answer: async (_req, res) => refuse(res, 404, 'not_offered', message) }
}

function get(answer: () => Promise<unknown>): PageCall {
  return { method: 'GET', answer: async (_req, res) => writeJson(res, 200, await answer()) }
}

function post(answer: (body: object) => Promise<unknown>): PageCall {
  return { method: 'POST', answer: async (req, res) => writeJson(res, 200, await answer(await readJson(req, res))) }
}
