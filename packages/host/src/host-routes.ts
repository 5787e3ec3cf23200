import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, errorAnswer, type ErrorCode } from '@storeport/core'
import { type RunningServer, serve, SettingsError, writeStaticFile } from '@storeport/node'
import type { HostFiles } from './host-files.ts'
import type { countCalls, HostState } from './observe/calls.ts'

/**
 * Handles requests outside the API: health, readiness, OpenAPI document, API reference and images. Rejects if a file could
 * not be created.
 */
export async function answerHostRoute(
  req: IncomingMessage,
  res: ServerResponse,
  routes: { readonly files: HostFiles } & Pick<HostState, 'isReady' | 'paused'>,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return answerError(res, 'method_not_allowed', 'GET, HEAD')
  const path = (req.url ?? '').split('?', 1)[0] ?? ''
  if (path === '/healthz') return send(res, createAnswer(200, jsonType, '{"status":"ok"}'))
  if (path === '/readyz') {
    const isReady = await routes.isReady()
    const paused = routes.paused.length > 0 ? routes.paused : undefined
    const state = JSON.stringify({ status: isReady ? 'ready' : 'unavailable', paused })
    return send(res, createAnswer(isReady ? 200 : 503, jsonType, state))
  }
  const file = routes.files(path)
  if (file === undefined) answerError(res, 'endpoint_not_found')
  else writeStaticFile(req, res, file)
}

const jsonType = 'application/json; charset=utf-8'

function createAnswer(status: number, contentType: string, body: string): Answer {
  const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return { status, headers, body }
}

/** Sends an error response, unless a response has started. */
export function answerError(res: ServerResponse, code: ErrorCode, allow?: string): void {
  send(res, errorAnswer(code, { allow }))
}

function send(res: ServerResponse, { status, headers, body }: Answer): void {
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/**
 * Serves the metrics at `/metrics` on a separate listener, because API clients must not read them.
 *
 * Throws SettingsError if the listener cannot use the port. Calls `onError` if the metrics cannot be collected.
 */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  { render }: Pick<ReturnType<typeof countCalls>, 'render'>,
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
          return createAnswer(200, contentType, body)
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
