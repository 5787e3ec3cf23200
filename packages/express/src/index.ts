import { type Call, endpointNames, endpoints, type ErrorCode, type Integration, StoreError } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import type { ErrorRequestHandler, RequestHandler } from 'express'

/**
 * Mounts the API on Express 4 or 5: `app.use(toExpress(integration))`, also below a prefix and after body parsers.
 *
 * Other paths go on to the next handler; a mount path that repeats the base path hands it a TypeError.
 */
export function toExpress(integration: Integration): [RequestHandler, ErrorRequestHandler] {
  const { basePath, owns } = integration
  const listener = toNodeListener(integration)
  const isEndpoint = (path: string) => endpointNames.some((name) => endpoints[name].path === path)
  return [
    (req, res, next) => {
      const repeats = req.baseUrl.endsWith(basePath) && !owns(req.path) && isEndpoint(req.path)
      if (!repeats) return listener(req, res, next)
      next(new TypeError(`${basePath} is in the base path already: leave it out of the mount path of toExpress`))
    },
    // A body parser that ran before us refused the body: the integration says so in its own words, once the key is right.
    (error: unknown, req, res, next) => {
      if (!isBodyError(error) || !owns(req.path)) return next(error)
      req.body = error.body
      const text = async () => {
        throw new StoreError(codes[error.status] ?? 'invalid_request')
      }
      const answer = (call: Call) => integration.answer(error.body === undefined ? { ...call, text } : call)
      toNodeListener({ answer, owns })(req, res, next)
    },
  ]
}

const codes: Readonly<Record<number, ErrorCode>> = { 413: 'payload_too_large', 415: 'unsupported_media_type' }

function isBodyError(error: unknown): error is Error & { readonly status: number; readonly body?: unknown } {
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  return /^(?:entity\.(?:parse|too)|charset|encoding|request)\./.test(type)
}
