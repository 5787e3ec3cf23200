import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorRow, isStoreError } from '@storeport/core'
import { type StaticFile, writeStaticFile } from '@storeport/node'
import { BesideRefusal } from './playground-options.ts'
import { closedPolicy, securityHeaders } from './security-headers.ts'

/** Answers with JSON. */
export function writeJson(res: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  const own = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  writeText(res, status, JSON.stringify(value), own)
}

/** Answers with a page that needs no other file, under a policy of its own. */
export function writeHtml(res: ServerResponse, status: number, html: string, policy: string): void {
  writeText(res, status, html, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
}

function writeText(res: ServerResponse, status: number, text: string, headers: object): void {
  const length = { 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' }
  // Node leaves the body out of the answer to HEAD.
  res.writeHead(status, { ...securityHeaders, ...length, ...headers }).end(text)
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
  writeHtml(res, 403, closedPage(/[?&]token=/.test(req.url ?? '')), closedPolicy(closedStyle))
}

const closedStyle = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f3f2ef,#111312);color:light-dark(#1e1d1b,#eceae5);font:400 1rem/1.6 Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main{max-width:34rem;padding:2rem 1.5rem}
h1{margin:0 0 .75rem;font-size:1.25rem}
p{margin:0 0 .75rem;color:light-dark(#635f58,#a8a59d)}
code{color:light-dark(#1e1d1b,#eceae5);font:.875em 'SF Mono',SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace}`

/** What a browser without the right token or the cookie gets. It needs no other file, since those are closed too. */
function closedPage(hasToken: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Playground · StorePort</title>
<style>${closedStyle}</style>
</head>
<body>
<main>
<h1>${hasToken ? 'This token is not the right one, or no longer' : 'This playground opens with its token'}</h1>
<p>It makes calls with the API key of the shop, so it is closed to everybody who only knows its address.</p>
<p>Open the address that the program printed when it started: it ends in <code>/?token=…</code>. This browser then stays signed in for 30 days.</p>
<p>If that has scrolled away, start the program again (<code>npm start</code>, or the <code>storeport</code> command): it prints the address again, with the same token, which it keeps in the file <code>token</code> of its data folder, <code>.storeport</code> unless you chose another.</p>
</main>
</body>
</html>
`
}
