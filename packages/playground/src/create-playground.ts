import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorRow, isEndpointName, isStoreError, parseBody, readBody, StoreError } from '@storeport/core'
import { type StaticFile, toCall, writeStaticFile } from '@storeport/node'
import { callShop } from './call-shop.ts'
import { closedPage, closedPageHeaders } from './closed-page.ts'
import { createAccess } from './create-access.ts'
import { createDescription } from './describe-playground.ts'
import { isFromOwnPage } from './own-request.ts'
import type { PlaygroundOptions } from './playground-options.ts'
import { type CallRequest, type CheckMode, checkModes } from './protocol.ts'
import { readPage } from './read-page.ts'
import { securityHeaders } from './security-headers.ts'
import { connectShop } from './shop-connection.ts'
import { streamChecks } from './stream-checks.ts'

/** Largest body that the playground reads, in bytes. */
const maxBytes = 65_536

/** Answers the requests to `/` and below `/playground/`, and says whether it did: others go to the next handler. */
export type Playground = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>

/** Makes the playground of one shop, to be mounted on node:http; throws TypeError for options that cannot work. */
export function createPlayground(options: PlaygroundOptions): Playground {
  const shop = connectShop(options.target)
  const access = createAccess(options)
  const page = readPage(options.pageFolder)
  const describe = createDescription(options, shop)
  let checksRun = false

  const api: Readonly<
    Record<string, { method: string; answer: (req: IncomingMessage, res: ServerResponse) => unknown }>
  > = {
    '/playground/config': { method: 'GET', answer: async (_req, res) => writeJson(res, 200, await describe()) },
    '/playground/call': {
      method: 'POST',
      answer: async (req, res) => {
        const call = readCall(await readJson(req, res))
        writeJson(res, 200, await callShop(shop, call, options.testMode ?? false))
      },
    },
    '/playground/checks': {
      method: 'POST',
      answer: async (req, res) => {
        const mode = readMode(await readJson(req, res))
        if (checksRun) return refuse(res, 409, 'checks_running', 'The checks are being made already.')
        checksRun = true
        await streamChecks(res, mode, options, shop).finally(() => (checksRun = false))
      },
    },
  }

  async function answer(req: IncomingMessage, res: ServerResponse, path: string): Promise<true> {
    const route = api[path]
    const cookie = path === '/' ? access.cookieFor(req) : undefined
    if (cookie === undefined && !access.hasCookie(req)) {
      refuseStranger(req, res, path)
    } else if (route === undefined) {
      if (cookie !== undefined) res.setHeader('Set-Cookie', cookie)
      writeFile(req, res, page.get(path), path)
    } else if (req.method !== route.method) {
      refuse(res, 405, 'method_not_allowed', 'Use the method that the Allow header names.', { Allow: route.method })
    } else if (!isFromOwnPage(req.method, req.headers)) {
      refuse(res, 403, 'forbidden', 'Only the page of the playground itself may ask this.')
    } else {
      await Promise.resolve(route.answer(req, res)).catch((error: unknown) => refuseWith(res, error))
    }
    return true
  }

  return (req, res) => {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    return path === '/' || path.startsWith('/playground/') ? answer(req, res, path) : false
  }
}

/** Reads a JSON object as the API does; throws StoreError for another media type, too many bytes or anything else. */
async function readJson(req: IncomingMessage, res: ServerResponse): Promise<object> {
  return parseBody(await readBody(toCall(req, res), maxBytes))
}

function readCall(body: object): CallRequest {
  const { endpoint, input }: { endpoint?: unknown; input?: unknown } = body
  if (typeof endpoint !== 'string' || !isEndpointName(endpoint)) {
    throw new StoreError('invalid_request', 'endpoint: must be the name of an endpoint')
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new StoreError('invalid_request', 'input: must be an object')
  }
  return { endpoint, input: { ...input } }
}

function readMode(body: object): CheckMode {
  const wanted: { mode?: unknown } = body
  const mode = checkModes.find((known) => known === wanted.mode)
  if (mode !== undefined) return mode
  throw new StoreError('invalid_request', `mode: must be one of ${checkModes.join(', ')}`)
}

function writeFile(req: IncomingMessage, res: ServerResponse, file: StaticFile | undefined, path: string): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return refuse(res, 405, 'method_not_allowed', 'Use GET.', { Allow: 'GET, HEAD' })
  }
  if (file === undefined && path === '/') {
    return refuse(res, 503, 'page_not_built', 'The page has not been built: run `npm run build`.')
  }
  if (file === undefined) return refuse(res, 404, 'file_not_found', 'There is no such file.')
  writeStaticFile(req, res, file)
}

/** A person gets a page that says how to get in; a program the envelope. */
function refuseStranger(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (path !== '/') {
    return refuse(res, 403, 'forbidden', 'Open the playground at the address with its token (/?token=…) first.')
  }
  const headers = { ...closedPageHeaders, 'Content-Length': Buffer.byteLength(closedPage) }
  res.writeHead(403, headers).end(req.method === 'HEAD' ? undefined : closedPage)
}

function refuseWith(res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy()
  if (isStoreError(error)) refuse(res, errorRow(error.code).status, error.code, error.message)
  else refuse(res, 500, 'internal_error', 'Something went wrong in the playground.')
}

function refuse(res: ServerResponse, status: number, code: string, message: string, headers: object = {}): void {
  // What the other side still sends is not read, so the connection cannot be used again.
  const closing = status === 413 ? { Connection: 'close' } : {}
  writeJson(res, status, { success: false, error: { code, message } }, { ...headers, ...closing })
}

function writeJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  const body = Buffer.from(JSON.stringify(value))
  const own = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  }
  res.writeHead(status, { ...securityHeaders, ...own, ...headers }).end(body)
}
