import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorAnswer, type ErrorCode } from '@storeport/core'
import { type RunningServer, serve, writeStaticFile } from '@storeport/node'
import type { HostFiles } from './host-files.ts'
import type { CallCounts } from './observe/calls.ts'
import { SettingsError } from './settings/settings.ts'

/** Waits for something, but no longer than a time in milliseconds; a failure counts as an end. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), limit])
  clearTimeout(timer)
}

/** What the routes besides the API show. */
export interface HostRoutes {
  /** Its files. */
  readonly files: HostFiles
  /** Whether the host can serve calls. */
  isReady(): Promise<boolean>
  /** Time for the host to find out whether it can serve calls, in milliseconds; default 2,000. */
  readonly readyTimeoutMs?: number | undefined
  /** Called with what went wrong when a page could not be made. */
  onError(error: unknown): void
}

/** Answers what the host serves besides the API: its health, the description of the API and pictures of the seed. */
export async function answerHostRoute(req: IncomingMessage, res: ServerResponse, routes: HostRoutes): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerError(res, 'method_not_allowed', 'GET, HEAD')
  try {
    const path = (req.url ?? '').split('?', 1)[0] ?? ''
    if (path === '/healthz') return answerState(res, 200, 'ok')
    if (path === '/readyz') return await answerReadiness(res, routes)
    const file = routes.files(path)
    if (file === undefined) answerError(res, 'endpoint_not_found')
    else writeStaticFile(req, res, file)
  } catch (error) {
    // Nobody waits for this promise: a rejection would end the process.
    routes.onError(error)
    answerError(res, 'internal_error')
  }
}

/** A store that hangs is not ready either. */
async function answerReadiness(res: ServerResponse, { isReady, readyTimeoutMs = 2000 }: HostRoutes): Promise<void> {
  let ready = false
  const look = async () => {
    ready = await isReady()
  }
  await within(readyTimeoutMs, look())
  answerState(res, ready ? 200 : 503, ready ? 'ready' : 'unavailable')
}

function answerState(res: ServerResponse, status: number, state: string): void {
  if (res.headersSent || res.destroyed) return
  const body = JSON.stringify({ status: state })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  res.writeHead(status, headers).end(body)
}

function answerError(res: ServerResponse, code: ErrorCode, allow?: string): void {
  if (res.headersSent || res.destroyed) return
  const answer = errorAnswer(code, { allow })
  res.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) }).end(answer.body)
}

/**
 * Serves the counts at `/metrics` of a listener of their own: who may call the API need not get them.
 *
 * Throws SettingsError when it cannot listen; `onError` is called with why the counts could not be written.
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { text, contentType }: Pick<CallCounts, 'text' | 'contentType'>,
  onError: (error: unknown) => void,
): Promise<RunningServer> {
  return serve(
    {
      owns: () => true,
      answer: async ({ method, path }) => {
        if (path !== '/metrics') return errorAnswer('endpoint_not_found')
        if (method !== 'GET' && method !== 'HEAD') return errorAnswer('method_not_allowed', { allow: 'GET, HEAD' })
        try {
          const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
          return { status: 200, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body: await text() }
        } catch (error) {
          onError(error)
          return errorAnswer('internal_error')
        }
      },
    },
    { host, port, closeTimeoutMs: 100 },
  ).catch((error: unknown) => {
    throw new SettingsError(`STOREPORT_METRICS: ${error instanceof Error ? error.message : 'cannot listen there'}`)
  })
}
