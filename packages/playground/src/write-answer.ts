import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorRow, isStoreError } from '@storeport/core'
import { type StaticFile, writeStaticFile } from '@storeport/node'
import { closedPageHeaders, writeClosedPage } from './closed-page.ts'
import { securityHeaders } from './security-headers.ts'
import { BesideRefusal } from './shop-beside.ts'

/** Answers with JSON. */
export function writeJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  const body = Buffer.from(JSON.stringify(value))
  const own = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
  }
  res.writeHead(status, { ...securityHeaders, ...own, ...headers }).end(body)
}

/** Answers with a file of the page, or that there is none. */
export function writeFile(req: IncomingMessage, res: ServerResponse, file: StaticFile | undefined, path: string): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return refuse(res, 405, 'method_not_allowed', 'Use GET.', { Allow: 'GET, HEAD' })
  }
  if (file === undefined && path === '/') {
    return refuse(res, 503, 'page_not_built', 'The page has not been built: run `npm run build`.')
  }
  if (file === undefined) return refuse(res, 404, 'file_not_found', 'There is no such file.')
  writeStaticFile(req, res, file)
}

/** Answers with a refusal in the envelope of the API. */
export function refuse(res: ServerResponse, status: number, code: string, message: string, headers: object = {}): void {
  // What the other side still sends is not read, so the connection cannot be used again.
  const closing = status === 413 ? { Connection: 'close' } : {}
  writeJson(res, status, { success: false, error: { code, message } }, { ...headers, ...closing })
}

/** Answers with what an error says to the page. */
export function refuseWith(res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy()
  if (isStoreError(error)) refuse(res, errorRow(error.code).status, error.code, error.message)
  else if (error instanceof BesideRefusal) refuse(res, error.status, error.code, error.message)
  else refuse(res, 500, 'internal_error', 'Something went wrong in the playground.')
}

/** A person gets a page that says how to get in; a program the envelope. */
export function refuseStranger(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (path !== '/') {
    return refuse(res, 403, 'forbidden', 'Open the playground at the address with its token (/?token=…) first.')
  }
  const closedPage = writeClosedPage(/[?&]token=/.test(req.url ?? ''))
  const headers = { ...closedPageHeaders, 'Content-Length': Buffer.byteLength(closedPage) }
  res.writeHead(403, headers).end(req.method === 'HEAD' ? undefined : closedPage)
}
