import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Answer, type ErrorCode, errorAnswer, type Integration, safeRequestId } from '@storeport/core'
import { rejectInvalidRequest, rejectConnect, ignoreUpgrade } from './reject-requests.ts'
import { closeGracefully, currentResponse, lingerAfterLastAnswer } from './connection.ts'
import { limitPipelining } from './limit-pipelining.ts'
import { type Listened, respond, splitTarget, toCall, writeAnswer } from './respond.ts'

/** Network address and limits of a server. */
export interface ServeOptions {
  /** TCP port; 0 chooses a free port; default 3000. */
  readonly port?: number | undefined
  /** Address or host name to listen on; default `127.0.0.1`, which accepts only local connections. */
  readonly host?: string | undefined
  /**
   * Handles requests for paths outside the integration; default: returns 404 `endpoint_not_found`. Not called if
   * `answerOutside` of the integration responds. If it throws or
   * rejects, the request fails with 500 and the process emits a warning that contains the error.
   */
  readonly fallback?: ((req: IncomingMessage, res: ServerResponse) => unknown) | undefined
  /** Maximum time until the headers of a request have arrived, in milliseconds; default 10,000. */
  readonly headersTimeoutMs?: number | undefined
  /** Maximum time until a whole request has arrived, in milliseconds; default 30,000. */
  readonly requestTimeoutMs?: number | undefined
  /** Time that an idle connection stays open, in milliseconds; default 65,000. Common load balancers use 60 s. */
  readonly keepAliveTimeoutMs?: number | undefined
  /** Maximum time without progress while a caller reads its response, in milliseconds; default 30,000. */
  readonly responseTimeoutMs?: number | undefined
  /** Maximum size of the request line and headers together, in bytes; default 16,384. */
  readonly maxHeaderBytes?: number | undefined
  /** Maximum time that `close` waits for in-flight requests, in milliseconds; default 10,000. */
  readonly closeTimeoutMs?: number | undefined
}

/** Running server. */
export interface RunningServer {
  /** URL of the server on this machine, without a trailing slash. */
  readonly url: string
  /** TCP port of the server. */
  readonly port: number
  /** Underlying `node:http` server. */
  readonly server: Server
  /**
   * Stops accepting connections, ends idle connections, and waits for in-flight requests.
   *
   * Repeated calls return the same promise.
   */
  close(): Promise<void>
}

/** Maximum interval between Node's checks for timed-out requests, in milliseconds. */
const checkIntervalMs = 500

/** The parts of an integration that `serve` uses. */
type Served = Listened & Partial<Pick<Integration, 'hasKeys'>>

/** Serves an integration on its own port. If listening fails, rejects with an error that contains the fix. */
export async function serve(integration: Served, options: ServeOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', fallback, requestTimeoutMs = 30_000, headersTimeoutMs = 10_000 } = options
  const headersTimeout = Math.min(headersTimeoutMs, requestTimeoutMs)
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    headersTimeout,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 65_000,
    connectionsCheckingInterval: Math.max(10, Math.min(checkIntervalMs, headersTimeout)),
    maxHeaderSize: options.maxHeaderBytes ?? 16_384,
    // Without this option, Node drops the second of two Authorization headers.
    joinDuplicateHeaders: true,
    // `httpProblem` checks the Host header, because Node's own error response does not use the envelope.
    requireHostHeader: false,
  })

  // Disables Node's limit of 2,000 headers, beyond which Node silently drops headers. `maxHeaderBytes` still applies.
  server.maxHeadersCount = 0

  function handle(req: IncomingMessage, res: ServerResponse, beforeBody?: () => void): void {
    const problem = httpProblem(req)
    if (problem !== undefined) {
      // Closes the connection, because the start of the next request is uncertain.
      res.shouldKeepAlive = false
      writeAnswer(req, res, createError(req, 'invalid_request', problem))
    } else if (fallback !== undefined && !integration.owns(splitTarget(req.url ?? '').path)) {
      const passOn = () => {
        beforeBody?.()
        void runFallback(fallback, req, res)
      }
      const answered = integration.answerOutside?.(toCall(req, res))
      if (answered === undefined) return passOn()
      void answered.then((answer) => (answer === undefined ? passOn() : writeAnswer(req, res, answer)))
    } else {
      respond(integration, req, res, { beforeBody }).catch(() =>
        writeAnswer(req, res, createError(req, 'internal_error')),
      )
    }
  }

  const { start, newestResponse } = limitPipelining()
  server.on('connection', lingerAfterLastAnswer)
  server.on('request', (req, res) => start(req, res, () => handle(req, res)))
  server.on('checkContinue', (req, res) => start(req, res, () => handle(req, res, () => res.writeContinue())))
  server.on('checkExpectation', (req, res) => start(req, res, () => writeAnswer(req, res, rejectExpectation(req))))
  server.on('connect', rejectConnect)
  server.on('upgrade', (req, socket, rest) => ignoreUpgrade(server, req, socket, rest))
  server.on('clientError', rejectInvalidRequest)
  server.setTimeout(options.responseTimeoutMs ?? 30_000, endUnlessInStore)
  const close = closeGracefully(server, options.closeTimeoutMs ?? 10_000, newestResponse)

  if (integration.hasKeys === false) {
    process.emitWarning(
      'apiKeys: no API key is set, so every request is rejected with 401. Set the environment variable that contains the key.',
    )
  }
  const port = await listen(server, host, options.port ?? 3000)
  // Prevents an error while accepting a connection from exiting the process.
  server.on('error', (error) => process.emitWarning(error))
  return { url: `http://${reachableName(host)}:${port}`, port, server, close }
}

/** Returns the host part of a URL; for all addresses, the loopback address, because clients cannot use a wildcard. */
function reachableName(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host.replace(/^::$/, '::1')
  return name.includes(':') ? `[${name}]` : name
}

/** Closes a timed-out connection that is idle or whose caller does not read. Does not interrupt the store. */
function endUnlessInStore(socket: Socket): void {
  if (currentResponse(socket) === undefined || socket.writableLength > 0) socket.destroy()
}

/** Returns the error response to an expectation other than `100-continue` (RFC 9110 section 10.1.1). */
function rejectExpectation(req: IncomingMessage): Answer {
  return { ...createError(req, 'invalid_request', 'Expect: must be 100-continue'), status: 417 }
}

/** Creates an error response with the request id that the caller sent. */
function createError(req: IncomingMessage, code: ErrorCode, message?: string): Answer {
  return errorAnswer(code, { requestId: safeRequestId(req.headers['x-request-id']), message })
}

/** Returns an error message if HTTP/1.1 forbids a request that Node accepts (RFC 9112 sections 2.3, 3.2 and 6.1). */
function httpProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'request: must be HTTP/1.1 or HTTP/1.0'
  const { host, 'transfer-encoding': encoding } = headers
  if (host === undefined && httpVersion === '1.1') return 'Host: is required'
  // Node joins repeated headers with a comma and a space.
  if (host?.includes(' ')) return 'Host: must be sent only once'
  if (encoding === undefined) return undefined
  if (httpVersion === '1.0') return 'Transfer-Encoding: is not allowed in HTTP/1.0'
  return encoding.toLowerCase() === 'chunked' ? undefined : 'Transfer-Encoding: must be chunked'
}

/** Starts listening and returns the port, which the system chooses if `port` is 0. */
async function listen(server: Server, host: string, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError('port must be a whole number from 1 to 65535, or 0 for any free port')
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
      return `port ${port} is in use. Choose another port, or 0 for any free port.`
    case 'EACCES':
      return `port ${port} requires more privileges. Choose a port above 1023.`
    case 'EADDRNOTAVAIL':
      return `host ${host} is not an address of this machine. Choose 127.0.0.1, or 0.0.0.0 for all addresses.`
    case 'ENOTFOUND':
      return `host ${host} was not found. Choose 127.0.0.1, or 0.0.0.0 for all addresses.`
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`
  }
}

/** Calls the fallback. Without this function, an error in the fallback would exit the process. */
async function runFallback(
  fallback: NonNullable<ServeOptions['fallback']>,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  try {
    await fallback(req, res)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(`The fallback failed. ${String(error)}`))
    if (res.headersSent) res.destroy()
    else writeAnswer(req, res, createError(req, 'internal_error'))
  }
}
