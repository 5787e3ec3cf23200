import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorRow, isStoreError } from '@storeport/core'
import { type StaticFile, writeStaticFile } from '@storeport/node'
import { DemoControlError } from './playground-options.ts'
import { styleOnlyPolicy, securityHeaders } from './security-headers.ts'

/** Sends a JSON response. */
export function writeJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  const allHeaders = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  writeText(res, status, JSON.stringify(value), allHeaders)
}

/** Sends an HTML page with its own content security policy. */
export function writeHtml(res: ServerResponse, status: number, html: string, policy: string): void {
  writeText(res, status, html, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
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
  else if (error instanceof DemoControlError) reject(res, error.status, error.code, error.message)
  else reject(res, 500, 'internal_error', 'Internal error in the playground.')
}

/** Sends a page with sign-in instructions for `/`, and a JSON error for other paths. */
export function rejectSignedOut(req: IncomingMessage, res: ServerResponse, path: string): void {
  if (path !== '/') {
    return reject(res, 403, 'forbidden', 'Not signed in. Open the URL with the token (/?token=…) first.')
  }
  writeHtml(res, 403, buildSignInPage(/[?&]token=/.test(req.url ?? '')), styleOnlyPolicy(signInStyle))
}

const signInStyle = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f3f2ef,#111312);color:light-dark(#1e1d1b,#eceae5);font:400 1rem/1.6 Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main{max-width:34rem;padding:2rem 1.5rem}
h1{margin:0 0 .75rem;font-size:1.25rem}
p{margin:0 0 .75rem;color:light-dark(#635f58,#a8a59d)}
code{color:light-dark(#1e1d1b,#eceae5);font:.875em 'SF Mono',SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}`

/** Builds the page with sign-in instructions. The page loads no files, because all files require the cookie. */
function buildSignInPage(hasToken: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Playground · StorePort</title>
<style>${signInStyle}</style>
</head>
<body>
<main>
<h1>${hasToken ? 'This token is invalid' : 'This playground requires a token'}</h1>
<p>The playground sends requests with the API key of the shop. Only people who have the token can use it.</p>
<p>Open the URL that the program printed when it started. It ends in <code>/?token=…</code>. This browser then stays signed in for 30 days.</p>
<p>If you no longer see this URL, start the program again (<code>npm start</code>, or the <code>storeport</code> command). It prints the same URL again. The token is stored in the file <code>token</code> in the data folder, by default <code>.storeport</code>.</p>
</main>
</body>
</html>
`
}
