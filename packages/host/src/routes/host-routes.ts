import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorAnswer, type ErrorCode, type Integration } from '@storeport/core'
import { buildOpenApi } from '@storeport/core/openapi'
import { docsFile } from './docs-page.ts'
import { productImage } from './product-image.ts'
import { within } from '../within.ts'

/** What the routes besides the API show. */
export interface HostRoutes {
  readonly integration: Integration
  /** Whether the host can serve calls. */
  isReady(): Promise<boolean>
  /** Time for the host to find out whether it can serve calls, in milliseconds; default 2,000. */
  readonly readyTimeoutMs?: number | undefined
  /** Called with what went wrong when a page could not be made. */
  onError(error: unknown): void
}

interface Page {
  readonly status?: number
  readonly type: string
  readonly body: string | Buffer
  readonly caching?: string
}

const json = 'application/json; charset=utf-8'

/** Answers what the host serves besides the API: its health, the description of the API and pictures of the seed. */
export async function answerHostRoute(req: IncomingMessage, res: ServerResponse, routes: HostRoutes): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerError(res, 'method_not_allowed', 'GET, HEAD')
  try {
    const page = await makePage((req.url ?? '').split('?', 1)[0] ?? '', routes)
    if (page === undefined) answerError(res, 'endpoint_not_found')
    else answerPage(res, page)
  } catch (error) {
    // Nobody waits for this promise: a rejection would end the process.
    routes.onError(error)
    answerError(res, 'internal_error')
  }
}

function answerPage(res: ServerResponse, page: Page): void {
  const { status = 200, type, body, caching = 'no-store' } = page
  const headers = {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': caching,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
  }
  if (!res.headersSent && !res.destroyed) res.writeHead(status, headers).end(body)
}

async function makePage(path: string, routes: HostRoutes): Promise<Page | undefined> {
  if (path === '/healthz') return { type: json, body: '{"status":"ok"}' }
  if (path === '/readyz') return checkReadiness(routes)
  if (path === '/openapi.json') return { type: json, body: JSON.stringify(buildOpenApi(routes.integration)) }
  if (path === '/docs' || path.startsWith('/docs/')) return docsFile(path)
  const image = productImage(/^\/images\/(\w+)\.svg$/.exec(path)?.[1] ?? '')
  return image === undefined ? undefined : { type: 'image/svg+xml', body: image, caching: 'public, max-age=86400' }
}

/** A store that hangs is not ready either. */
async function checkReadiness({ isReady, readyTimeoutMs = 2000 }: HostRoutes): Promise<Page> {
  let ready = false
  const look = async () => {
    ready = await isReady()
  }
  await within(readyTimeoutMs, look())
  return { status: ready ? 200 : 503, type: json, body: `{"status":"${ready ? 'ready' : 'unavailable'}"}` }
}

function answerError(res: ServerResponse, code: ErrorCode, allow?: string): void {
  if (res.headersSent || res.destroyed) return
  const answer = errorAnswer(code, { allow })
  res.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) }).end(answer.body)
}
