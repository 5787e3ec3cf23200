import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorRow, isStoreError } from '@storeport/core'
import { type StaticFile, writeStaticFile } from '@storeport/node'
import { buildSignInPage } from './sign-in-page.ts'

/**
 * Security headers of every response.
 *
 * Only images may load from other servers. Trusted Types prevent scripts from inserting strings as markup.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    'img-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Sends a JSON response. */
export function writeJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  const allHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  writeText(res, status, JSON.stringify(value), allHeaders)
}

function writeText(res: ServerResponse, status: number, text: string, headers: object): void {
  const length = { 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' }
  // Node omits the body from the response to a HEAD request.
  res.writeHead(status, { ...securityHeaders, ...length, ...headers }).end(text)
}

/** Sends a file of the page, or an error if the file does not exist. */
export function writeFile(req: IncomingMessage, res: ServerResponse, file: StaticFile | undefined, path: string): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    return reject(res, 405, 'method_not_allowed', 'Method not allowed. Use GET.', { Allow: 'GET, HEAD' })
  }
  if (file === undefined && path === '/') {
    return reject(res, 503, 'page_not_built', 'The page has not been built. Run `npm run build`.')
  }
  if (file === undefined) return reject(res, 404, 'file_not_found', 'File not found.')
  writeStaticFile(req, res, file)
}

/** Sends an error response in the format of the API. */
export function reject(res: ServerResponse, status: number, code: string, message: string, headers: object = {}): void {
  // After 413, the rest of the request body is unread, so the connection cannot be reused.
  const closing = status === 413 ? { Connection: 'close' } : {}
  writeJson(res, status, { success: false, error: { code, message } }, { ...headers, ...closing })
}

/** Sends the response for an error that a route threw. Closes the connection if a response has already started. */
export function writeThrown(res: ServerResponse, error: unknown): void {
  if (res.headersSent) return void res.destroy()
  if (isStoreError(error)) reject(res, errorRow(error.code).status, error.code, error.message)
  else reject(res, 500, 'internal_error', 'Internal error in the playground.')
}

/** Sends a page with sign-in instructions for `/`, and a JSON error for other paths. */
export function rejectSignedOut(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (path !== '/') {
    return reject(res, 403, 'forbidden', 'Not signed in. Open the URL with the token (/?token=…) first.')
  }
  const { html, policy } = buildSignInPage(/[?&]token=/.test(req.url ?? ''))
  writeText(res, 403, html, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
}
