import type { IncomingMessage, ServerResponse } from 'node:http'
import { type EndpointName, errorAnswer, type ErrorCode } from '@storeport/core'
import { type RunningServer, serve, SettingsError, writeStaticFile } from '@storeport/node'
import type { HostFiles } from './host-files.ts'
import type { RenderedMetrics } from './observe/calls.ts'

/** Dependencies of the routes outside the API. */
interface HostRoutes {
  /** Files to serve. */
  readonly files: HostFiles
  /** Returns whether the host can handle requests. Never rejects. */
  isReady(): Promise<boolean>
  /** The paused endpoints. */
  readonly paused: readonly EndpointName[]
}

/**
 * Handles requests outside the API: health, readiness, OpenAPI document, API reference and images. Rejects if a file could
 * not be created.
 */
export async function answerHostRoute(req: IncomingMessage, res: ServerResponse, routes: HostRoutes): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerError(res, 'method_not_allowed', 'GET, HEAD')
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  if (path === '/healthz') return answerState(res, 200, 'ok')
  if (path === '/readyz') {
    const isReady = await routes.isReady()
    return answerState(res, isReady ? 200 : 503, isReady ? 'ready' : 'unavailable', routes.paused)
  }
  const file = routes.files(path)
  if (file === undefined) answerError(res, 'endpoint_not_found')
  else writeStaticFile(req, res, file)
}

function answerState(res: ServerResponse, status: number, state: string, paused: readonly EndpointName[] = []): void {
  if (res.headersSent || res.destroyed) return
  const body = JSON.stringify({ status: state, ...(paused.length > 0 && { paused }) })
  res
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(body)
}

/** Sends an error response, unless a response has started. */
export function answerError(res: ServerResponse, code: ErrorCode, allow?: string): void {
  if (res.headersSent || res.destroyed) return
  const answer = errorAnswer(code, { allow })
  res.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) }).end(answer.body)
}

/**
 * Serves the metrics at `/metrics` on a separate listener, because API clients must not read them.
 *
 * Throws SettingsError if the listener cannot use the port. Calls `onError` if the metrics cannot be collected.
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { render }: { render(accept: string): Promise<RenderedMetrics> },
  onError: (error: unknown) => void,
): Promise<RunningServer> {
  return serve(
    {
      owns: () => true,
      answer: async ({ method, path, header }) => {
        if (path !== '/metrics') return errorAnswer('endpoint_not_found')
        if (method !== 'GET' && method !== 'HEAD') return errorAnswer('method_not_allowed', { allow: 'GET, HEAD' })
        try {
          const { contentType, body } = await render(header('accept') ?? '')
          const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
          return { status: 200, headers: { ...headers, 'X-Content-Type-Options': 'nosniff' }, body }
        } catch (error) {
          onError(error)
          return errorAnswer('internal_error')
        }
      },
    },
    { host, port, closeTimeoutMs: 100 },
  ).catch((error: unknown) => {
    throw new SettingsError(
      `STOREPORT_METRICS: ${error instanceof Error ? error.message : 'cannot listen on this address'}`,
    )
  })
}
