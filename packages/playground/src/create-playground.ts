import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { CustomerInput, describeIssues, parseBody, readBody, StoreError } from '@storeport/core'
import { toCall } from '@storeport/node'
import * as z from 'zod'
import { createAccess } from './create-access.ts'
import { createDescription } from './describe-playground.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { CallRequest } from './protocol.ts'
import { readPage } from './read-page.ts'
import { callShop, connectShop } from './shop-connection.ts'
import { reject, rejectSignedOut, writeFile, writeJson, writeThrown } from './write-response.ts'

/** Handles requests to `/` and to paths under `/playground/`; returns false for other paths. */
export type Playground = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** Creates the playground of one shop, for a node:http server; throws TypeError for an invalid option. */
export function createPlayground(options: PlaygroundOptions): Playground {
  const access = createAccess(options.token)
  const page = readPage(options.pageFolder)
  const routes = createRoutes(options)

  async function handle(req: IncomingMessage, res: ServerResponse, path: string): Promise<true> {
    const [method, act] = routes[path] ?? []
    const cookie = path === '/' ? access.cookieFor(req) : undefined
    if (cookie === undefined && !access.hasCookie(req)) {
      rejectSignedOut(req, res, path)
    } else if (method === undefined) {
      if (cookie !== undefined) res.setHeader('Set-Cookie', cookie)
      writeFile(req, res, page.get(path), path)
    } else if (req.method !== method) {
      reject(res, 405, 'method_not_allowed', `Method not allowed. Use ${method}.`, { Allow: method })
    } else if (!isSameOrigin(method, req.headers)) {
      reject(res, 403, 'forbidden', 'This request is allowed only from the playground page.')
    } else if (act === undefined) {
      reject(res, 404, 'not_offered', 'This function is available only for the test shop.')
    } else {
      await answer(req, res, act).catch((error: unknown) => writeThrown(res, error))
    }
    return true
  }

  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    return path === '/' || path.startsWith('/playground/') ? handle(req, res, path) : false
  }
}

/** Returns the response to a JSON body, or false if the shop contains other data. An error becomes an error response. */
type Act = (body: object) => Promise<unknown>

/** Creates the routes, by path. The action is `undefined` if it is not available for this shop. */
function createRoutes(options: PlaygroundOptions) {
  const { demo, history } = options
  const shop = connectShop(options.target)
  const routes: Readonly<Record<string, readonly ['GET' | 'POST', Act | undefined]>> = {
    '/playground/config': ['GET', createDescription(options, shop)],
    '/playground/call': ['POST', (body) => callShop(shop, readInput(CallRequest, body))],
    '/playground/shop': ['GET', demo && (() => demo.readState())],
    '/playground/history': ['POST', history && ((body) => history(readInput(CustomerInput, body).email))],
    '/playground/reset': ['POST', demo && (async () => (await demo.reset()) && {})],
  }
  return routes
}

async function answer(req: IncomingMessage, res: ServerResponse, act: Act): Promise<void> {
  const result = await act(req.method === 'POST' ? parseBody(await readBody(toCall(req, res), maxBytes)) : {})
  if (result !== false) return writeJson(res, 200, result)
  reject(res, 403, 'not_own_data', "The database contains data besides the host's seed data. Nothing was changed.")
}

/**
 * Prevents CSRF: rejects requests from other pages, including pages on another port of the same host. Allows GET
 * requests for URLs that a person typed. Does not compare `Origin` with `Host`, which can differ behind a proxy.
 */
function isSameOrigin(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || (site === 'none' && method === 'GET')
}

/** Maximum size of a request body, in bytes. */
const maxBytes = 65_536

/** Validates a body; throws StoreError `invalid_request`. */
function readInput<Input>(schema: z.core.$ZodType<Input>, body: object): Input {
  const { success, data, error } = z.safeParse(schema, body)
  if (success) return data
  throw new StoreError('invalid_request', describeIssues(error.issues, body))
}
