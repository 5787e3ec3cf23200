import { type Call, endpointNames, endpoints, type ErrorCode, type Integration, StoreError } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import type { ErrorRequestHandler, RequestHandler } from 'express'

/**
 * Mounts the API on Express 4 or 5: `app.use(toExpress(integration))`. Works below a prefix and after body parsers.
 *
 * Passes requests for other paths to the next handler, and a TypeError if the mount path repeats the base path.
 */
export function toExpress(integration: Integration): [RequestHandler, ErrorRequestHandler] {
  const { basePath, owns } = integration
  const listener = toNodeListener(integration)
  const isEndpoint = (path: string) => endpointNames.some((name) => endpoints[name].path === path)
  return [
    (req, res, next) => {
      const repeats = req.baseUrl.endsWith(basePath) && !owns(req.path) && isEndpoint(req.path)
      if (!repeats) return listener(req, res, next)
      next(new TypeError(`${basePath} is already the base path. Remove it from the mount path of toExpress.`))
    },
    // An earlier body parser rejected the body. The integration checks the key, then responds with its own error.
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
  if (!(error instanceof Error)) return false
  // A body that cannot be decompressed has only the code of zlib, Brotli or Zstandard.
  const kind = 'type' in error ? error.type : 'code' in error ? error.code : ''
  return /^(?:(?:entity\.(?:parse|too)|charset|encoding|request)\.|Z|ERR__)/.test(String(kind))
}
