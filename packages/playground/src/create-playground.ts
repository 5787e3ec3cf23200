import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { callShop } from './call-shop.ts'
import { createChecks } from './checks.ts'
import { createAccess } from './create-access.ts'
import { createDescription } from './describe-playground.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { readPage } from './read-page.ts'
import { readCall, readEmail, readJson, readTimeRequest } from './read-requests.ts'
import { connectShop } from './shop-connection.ts'
import { reject, rejectSignedOut, writeFile, writeJson, writeThrown } from './write-response.ts'

/** Handles requests to `/` and to paths under `/playground/`; returns false for other paths. */
export type Playground = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** Creates the playground of one shop, for a node:http server; throws TypeError for an invalid option. */
export function createPlayground(options: PlaygroundOptions): Playground {
  const access = createAccess(options)
  const page = readPage(options.pageFolder)
  const routes = createRoutes(options)

  async function handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<true> {
    const route = routes[path]
    const cookie = path === '/' ? access.cookieFor(req) : undefined
    if (cookie === undefined && !access.hasCookie(req)) {
      rejectSignedOut(req, res, path)
    } else if (route === undefined) {
      if (cookie !== undefined) res.setHeader('Set-Cookie', cookie)
      writeFile(req, res, page.get(path), path)
    } else if (req.method !== route.method) {
      reject(res, 405, 'method_not_allowed', `Method not allowed. Use ${route.method}.`, { Allow: route.method })
    } else if (!isSameOrigin(req.method, req.headers)) {
      reject(res, 403, 'forbidden', 'This request is allowed only from the playground page.')
    } else {
      await route.handle(req, res).catch((error: unknown) => writeThrown(res, error))
    }
    return true
  }

  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    return path === '/' || path.startsWith('/playground/') ? handle(req, res, path) : false
  }
}

/** A route of the playground. An error that `handle` throws becomes an error response. */
interface Route {
  readonly method: 'GET' | 'POST'
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>
}

/** Creates the routes, by path. */
function createRoutes(options: PlaygroundOptions): Readonly<Record<string, Route | undefined>> {
  const { demo: { readState, moveDate, reset } = {}, testMode = false, history } = options
  const shop = connectShop(options.target)
  const checks = createChecks(options, shop)
  return {
    '/playground/config': get(createDescription(options, shop)),
    '/playground/call': post((body) => callShop(shop, readCall(body), testMode)),
    '/playground/checks': { method: 'POST', handle: checks.run },
    '/playground/report': { method: 'GET', handle: async (_req, res) => checks.writeReport(res) },
    '/playground/shop': readState ? get(readState) : notOffered('GET'),
    '/playground/history': history ? post((body) => history(readEmail(body))) : notOffered('POST'),
    '/playground/time': moveDate ? post((body) => moveDate(readTimeRequest(body))) : notOffered('POST'),
    '/playground/reset': reset ? post(() => reset()) : notOffered('POST'),
  }
}

function notOffered(method: Route['method']): Route {
  const message = 'This function is available only for the test shop.'
  return { method, handle: async (_req, res) => reject(res, 404, 'not_offered', message) }
}

function get(read: () => Promise<unknown>): Route {
  return { method: 'GET', handle: async (_req, res) => writeJson(res, 200, await read()) }
}

function post(act: (body: object) => Promise<unknown>): Route {
  return { method: 'POST', handle: async (req, res) => writeJson(res, 200, await act(await readJson(req, res))) }
}

/**
 * Prevents CSRF: rejects requests from other pages, including pages on another port of the same host. Allows GET
 * requests for URLs that a person typed. Does not compare `Origin` with `Host`, which can differ behind a proxy.
 */
function isSameOrigin(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || (site === 'none' && method === 'GET')
}
