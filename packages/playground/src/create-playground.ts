import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { callShop } from './call-shop.ts'
import { createChecks } from './checks.ts'
import { createAccess } from './create-access.ts'
import { createDescription } from './describe-playground.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { readPage } from './read-page.ts'
import { readCall, readJson, readTimeRequest } from './read-requests.ts'
import { connectShop } from './shop-connection.ts'
import { refuse, refuseStranger, refuseWith, writeFile, writeJson } from './write-answer.ts'

/** Answers the requests to `/` and below `/playground/`, and returns whether it did: others go to the next handler. */
export type Playground = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** Makes the playground of one shop, to be mounted on node:http; throws TypeError for options that cannot work. */
export function createPlayground(options: PlaygroundOptions): Playground {
  const access = createAccess(options)
  const page = readPage(options.pageFolder)
  const calls = createPageCalls(options)

  async function answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<true> {
    const call = calls[path]
    const cookie = path === '/' ? access.cookieFor(req) : undefined
    if (cookie === undefined && !access.hasCookie(req)) {
      refuseStranger(req, res, path)
    } else if (call === undefined) {
      if (cookie !== undefined) res.setHeader('Set-Cookie', cookie)
      writeFile(req, res, page.get(path), path)
    } else if (req.method !== call.method) {
      refuse(res, 405, 'method_not_allowed', 'Use the method that the Allow header names.', { Allow: call.method })
    } else if (!isFromOwnPage(req.method, req.headers)) {
      refuse(res, 403, 'forbidden', 'Only the page of the playground itself may ask this.')
    } else {
      await call.answer(req, res).catch((error: unknown) => refuseWith(res, error))
    }
    return true
  }

  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    return path === '/' || path.startsWith('/playground/') ? answer(req, res, path) : false
  }
}

/** A call of the page; what `answer` throws is returned to the page. */
interface PageCall {
  readonly method: 'GET' | 'POST'
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>
}

/** The calls of the page by their paths. */
function createPageCalls(options: PlaygroundOptions): Readonly<Record<string, PageCall | undefined>> {
  const { beside: { look, moveDate, reset } = {}, testMode = false } = options
  const shop = connectShop(options.target)
  const checks = createChecks(options, shop)
  return {
    '/playground/config': get(createDescription(options, shop)),
    '/playground/call': post((body) => callShop(shop, readCall(body), testMode)),
    '/playground/checks': { method: 'POST', answer: checks.run },
    '/playground/report': { method: 'GET', answer: async (_req, res) => checks.writeReport(res) },
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

/**
 * Whether a browser says that our own page makes a request, or that a person typed the address: another page, also one of
 * another port of this machine, must not make calls with the cookie (CSRF). Behind a proxy `Origin` and `Host` need not agree.
 */
function isFromOwnPage(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || (site === 'none' && method === 'GET')
}
