import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Answer, errorAnswer, type Integration, safeRequestId } from '@storeport/core'
import { answerClientError, answerConnect, ignoreUpgrade } from './refuse.ts'
import { closeGracefully, currentResponse, lingerAfterLastAnswer } from './connection.ts'
import { limitPipelining } from './limit-pipelining.ts'
import { respond, writeAnswer } from './respond.ts'
import { splitTarget } from './message.ts'

/** How a server listens, and its limits. */
export interface ServeOptions {
  /** TCP port; 0 takes any free one; default 3000. */
  readonly port?: number | undefined
  /** Address or name to listen on; default `127.0.0.1`, so that only this machine gets in. */
  readonly host?: string | undefined
  /** Answers the paths outside the integration; default: 404 `endpoint_not_found`. */
  readonly fallback?: ((req: IncomingMessage, res: ServerResponse) => void) | undefined
  /** Time for the headers of a request to arrive, in milliseconds; default 10,000. */
  readonly headersTimeoutMs?: number | undefined
  /** Time for a whole request to arrive, in milliseconds; default 30,000. */
  readonly requestTimeoutMs?: number | undefined
  /** Time that an unused connection stays open, in milliseconds; default 65,000, more than the 60 s of common load balancers. */
  readonly keepAliveTimeoutMs?: number | undefined
  /** Time without progress for a caller to take its answer, in milliseconds; default 30,000. */
  readonly answerTimeoutMs?: number | undefined
  /** Largest request line and headers together, in bytes; default 16,384. */
  readonly maxHeaderBytes?: number | undefined
  /** Time that `close` gives to what is in flight, in milliseconds; default 10,000. */
  readonly closeTimeoutMs?: number | undefined
}

/** A server that accepts calls. */
export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** The TCP port that it got. */
  readonly port: number
  /** The server of node:http behind it. */
  readonly server: Server
  /** Stops accepting, finishes what is in flight, ends idle connections; may be called again. */
  close(): Promise<void>
}

/** How often Node checks for requests that are late, in milliseconds; shorter times are checked as often as they end. */
const checkIntervalMs = 500

/** What of an integration is served. */
type Served = Pick<Integration, 'answer' | 'owns'> & Partial<Pick<Integration, 'hasKeys'>>

/** Serves an integration on a port of its own; rejects with what to change when it cannot listen there. */
export async function serve(integration: Served, options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', fallback, requestTimeoutMs = 30_000, headersTimeoutMs = 10_000 } = options
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs)
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: Math.max(10, Math.min(checkIntervalMs, headersTimeout)),
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    // Without it the second of two Authorization headers would be dropped unseen.
    joinDuplicateHeaders: true,
    // Node's own answer to a missing Host header is not in the envelope.
    requireHostHeader: false,
  })

  // Node would take the first 2,000 headers and drop the rest unseen; `maxHeaderBytes` is the limit.
  server.maxHeadersCount = 0

  function handle(req: IncomingMessage, res: ServerResponse, beforeBody?: () => void): void {
    const problem = httpProblem(req)
    if (problem !== undefined) {
      // Where this request ends and the next begins is not to be relied on.
      res.shouldKeepAlive = false
      writeAnswer(
        req,
        res,
        errorAnswer('invalid_request', { requestId: safeRequestId(req.headers['x-request-id']), message: problem }),
      )
    } else if (fallback !== undefined && !integration.owns(splitTarget(req.url ?? '').path)) {
      beforeBody?.()
      fallback(req, res)
    } else {
      respond(integration, req, res, { beforeBody }).catch(() =>
        writeAnswer(req, res, errorAnswer('internal_error', { requestId: safeRequestId(req.headers['x-request-id']) })),
      )
    }
  }

  const { start, newestResponse } = limitPipelining()
  server.on('connection', lingerAfterLastAnswer)
  server.on('request', (req, res) => start(req, res, () => handle(req, res)))
  server.on('checkContinue', (req, res) => start(req, res, () => handle(req, res, () => res.writeContinue())))
  server.on('checkExpectation', (req, res) => start(req, res, () => writeAnswer(req, res, refuseExpectation(req))))
  server.on('connect', answerConnect)
  server.on('upgrade', (req, socket, rest) => ignoreUpgrade(server, req, socket, rest))
  server.on('clientError', answerClientError)
  server.setTimeout(options.answerTimeoutMs ?? 30_000, endUnlessWaiting)
  const close = closeGracefully(server, options.closeTimeoutMs ?? 10_000, newestResponse)

  if (integration.hasKeys === false) {
    process.emitWarning('apiKeys: no key is set, so every call is answered 401: set the variable that holds it')
  }
  const port = await listen(server, host, options.port ?? 3000)
  // A connection that could not be accepted must not end the process.
  server.on('error', (error) => process.emitWarning(error))
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, server, close }
}

/** A connection on which nothing happened for its time is idle, or its caller does not take the answer, or it waits for the store. */
function endUnlessWaiting(socket: Socket): void {
  if (currentResponse(socket) === undefined || socket.writableLength > 0) socket.destroy()
}

/** RFC 9110 section 10.1.1: the only expectation there is, is `100-continue`. */
function refuseExpectation(req: IncomingMessage): Answer {
  const message = 'Expect: must be 100-continue'
  return {
    ...errorAnswer('invalid_request', { requestId: safeRequestId(req.headers['x-request-id']), message }),
    status: 417,
  }
}

/** What HTTP/1.1 forbids although Node's parser lets it pass (RFC 9112 sections 2.3, 3.2 and 6.1), as a message for the caller. */
function httpProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'request: must be HTTP/1.1 or HTTP/1.0'
  const { host, 'transfer-encoding': encoding } = headers
  if (host === undefined && httpVersion === '1.1') return 'Host: must be sent'
  // Repeated headers arrive joined by a comma and a space.
  if (host?.includes(' ')) return 'Host: must be sent only once'
  if (encoding === undefined) return undefined
  if (httpVersion === '1.0') return 'Transfer-Encoding: is not part of HTTP/1.0'
  return encoding.toLowerCase() === 'chunked' ? undefined : 'Transfer-Encoding: must be chunked'
}

/** Starts to listen and resolves with the port; rejects with a message that says what to change. */
async function listen(server: Server, host: string, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError('port must be a whole number from 0 (any free port) to 65535')
  }
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(explainError(error, host, port), { cause: error }))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

function explainError(error: Error, host: string, port: number): string {
  switch ('code' in error && error.code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another, or 0 for any free one`
    case 'EACCES':
      return `port ${port} needs more rights than this process has: choose one above 1023`
    case 'EADDRNOTAVAIL':
      return `host ${host} is not an address of this machine: choose 127.0.0.1, or 0.0.0.0 for every address`
    case 'ENOTFOUND':
      return `host ${host} is unknown: choose 127.0.0.1, or 0.0.0.0 for every address`
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`
  }
}
