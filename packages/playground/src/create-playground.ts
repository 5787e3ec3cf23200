import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { CustomerInput, describeIssues, endpointNames, parseBody, readBody, StoreError } from '@storeport/core'
import { toCall } from '@storeport/node'
import * as z from 'zod'
import { createAccess } from './create-access.ts'
import { createDescription } from './describe-playground.ts'
import type { DemoControls, PlaygroundOptions } from './playground-options.ts'
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
  const { demo, history } = options
  const shop = connectShop(options.target)
  return {
    '/playground/config': get(createDescription(options, shop)),
    '/playground/call': post((body) => callShop(shop, readInput(CallBody, body))),
    '/playground/shop': demo ? get(demo.readState) : notOffered('GET'),
    '/playground/history': history ? post((body) => history(readInput(CustomerInput, body).email)) : notOffered('POST'),
    '/playground/reset': demo ? { method: 'POST', handle: resetShop(demo) } : notOffered('POST'),
  }
}

function notOffered(method: Route['method']): Route {
  const message = 'This function is available only for the test shop.'
  return { method, handle: async (_req, res) => reject(res, 404, 'not_offered', message) }
}

function resetShop({ reset }: DemoControls): Route['handle'] {
  return async (req, res) => {
    await readJson(req, res)
    if (await reset()) return writeJson(res, 200, {})
    reject(res, 403, 'not_own_data', "The database contains data besides the host's seed data. Nothing was changed.")
  }
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

/** Maximum size of a request body, in bytes. */
const maxBytes = 65_536

/** Body of `/playground/call`. */
const CallBody = z.object({ endpoint: z.enum(endpointNames), input: z.record(z.string(), z.unknown()) })

/** Reads the body as a JSON object; throws StoreError for another media type, an oversized body, or invalid JSON. */
async function readJson(req: IncomingMessage, res: ServerResponse): Promise<object> {
  return parseBody(await readBody(toCall(req, res), maxBytes))
}

/** Validates a body; throws StoreError `invalid_request`. */
function readInput<Input>(schema: z.core.$ZodType<Input>, body: object): Input {
  const { success, data, error } = z.safeParse(schema, body)
  if (success) return data
  throw new StoreError('invalid_request', describeIssues(error.issues, body))
}
