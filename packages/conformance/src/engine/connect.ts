import { setTimeout } from 'node:timers/promises'
import { endpoints } from '@storeport/core'
import type { CheckContext, NamedCall, RawCaller } from './check.ts'
import { type Evidence, skipReadOnly } from './check-end.ts'
import { defaultTimeoutMs, type RunOptions } from './options.ts'
import { bytesOf, type PlainRequest, withQuery } from '../http/plain-http.ts'
import { readReply, type Reply } from '../http/reply.ts'
import { TimeUp, withinTime } from '../http/unreachable.ts'

/**
 * Opens a raw connection for a check, which the signal closes. Calls `touch` with each body, since the effect of a raw
 * request is unknown. Rejects with TypeError if the transport does not support raw connections.
 */
export async function connectRaw(
  { names, apiKey, maySend, now }: CheckContext,
  { send, timeoutMs = defaultTimeoutMs }: RunOptions,
  signal: AbortSignal,
  evidence: Evidence,
  touch: (text: string) => void,
): Promise<RawCaller> {
  if (send.connect === undefined) throw new TypeError('send: does not support raw connections. Use sendByHttp()')
  const connection = await withinTime(timeoutMs, signal, send.connect)
  signal.addEventListener('abort', () => connection.destroy())
  let last: PlainRequest | undefined
  let isLast = false
  /** Messages and parts of messages that were sent. */
  const sent: Uint8Array[] = []

  /** Returns the last request. Without a request, the first line of the bytes is the request. */
  function asked(): PlainRequest {
    const bytes = Buffer.concat(sent)
    const [method = '', target = ''] = bytes.toString().split(/[ \r]/, 2)
    const request = last ?? { method, target, headers: [], version: '1.1' }
    return last !== undefined && sent.length === 1 ? request : { ...request, sent: bytes }
  }

  return {
    request(message) {
      const { method = 'GET', path, target = (unchanged) => unchanged, headers = [], body } = message
      const { withoutHost = false, version = '1.1', isWarmUp = false } = message
      if (!maySend(method)) throw skipReadOnly()
      const own = target(connection.prefix + names.basePath + path, connection.host)
      const given = new Set(headers.map(([name]) => name.toLowerCase()))
      const usual = [
        ...(withoutHost ? [] : [['Host', connection.host] as const]),
        [names.apiKeyHeader, apiKey] as const,
      ]
      const lines = [...usual.filter(([name]) => !given.has(name.toLowerCase())), ...headers]
      const content = typeof body === 'string' ? Buffer.from(body) : body
      last = { method, target: own, headers: lines, body: content, version, sentAt: now() }
      const bytes = bytesOf(last)
      if (!isWarmUp) sent.push(bytes)
      connection.write(bytes)
      touch(Buffer.from(content ?? '').toString())
    },
    write(part) {
      const bytes = Buffer.from(part)
      sent.push(bytes)
      connection.write(bytes)
      touch(bytes.toString())
    },
    end: connection.end,
    destroy: connection.destroy,
    async reply() {
      const request = asked()
      const response = await withinTime(timeoutMs, signal, () => connection.read(request.method)).catch((error) => {
        throw error instanceof TimeUp ? evidence.silence(request, error) : error
      })
      const reply = readReply(request, response)
      evidence.record(reply)
      isLast = response?.isLast === true
      return response && reply
    },
    isLast: () => isLast,
    closed: () => withinTime(timeoutMs, signal, () => connection.closed()),
  }
}

/**
 * Sends requests concurrently, each over its own warmed-up connection. Returns the responses in the sequence of the
 * requests.
 *
 * Opens the connections first, since requests on new connections would arrive one after the other. If the shop
 * rate-limits a request or closes the connection without a response, sends the request again with `call`.
 */
export async function callTogether(
  calls: readonly NamedCall[],
  offsetsMs: readonly number[],
  connect: CheckContext['connect'],
  call: CheckContext['call'],
): Promise<readonly Reply[]> {
  const opened = await Promise.all(calls.map(async (one) => ({ ...one, caller: await openWarmConnection(connect) })))
  const started = performance.now()
  for (const [index, { name, input, headers, caller }] of opened.entries()) {
    const wait = (offsetsMs[index] ?? 0) - (performance.now() - started)
    if (wait > 0) await setTimeout(wait)
    const { method, path } = endpoints[name]
    const content = JSON.stringify(input)
    const ofBody = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(content)) }
    const lines = Object.entries({ ...(method === 'POST' && ofBody), ...headers })
    if (method === 'GET') caller.request({ path: withQuery(path, input), headers: lines })
    else caller.request({ method, path, headers: lines, body: content })
  }
  return Promise.all(
    opened.map(async ({ name, input, headers, caller }) => {
      const reply = await caller.reply()
      caller.destroy()
      return reply === undefined || reply.status === 429 ? call(name, input, { headers }) : reply
    }),
  )
}

/** Opens a connection and sends one request to warm it up. If the server closes it, opens a second connection. */
async function openWarmConnection(connect: CheckContext['connect']): Promise<RawCaller> {
  const caller = await connect({ path: '/no-such-path', isWarmUp: true })
  const reply = await caller.reply()
  return reply === undefined || caller.isLast() ? connect() : caller
}
