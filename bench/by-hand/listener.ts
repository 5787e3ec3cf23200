import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '@storeport/core'
import {
  type AddByHand,
  ApiError,
  delaySubscription,
  errorResponse,
  idempotencyKeyOf,
  loadSubscription,
  joinHeader,
  requestIdOf,
  requireKey,
  responseHeaders,
  withinTime,
} from './contract.ts'
import { addInput, delayInput, emailOfQuery, rejectTestMode, requireJson } from './input.ts'
import { checkedSubscription } from './output.ts'

const maxBodyBytes = 65_536

/** Hand-written node:http listener for the two endpoints, with all checks that StorePort performs. */
export function listenByHand(req: IncomingMessage, res: ServerResponse): void {
  void respondByHand(req, () => readBody(req)).then(({ status, headers, body }) => {
    res.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers })
    res.end(req.method === 'HEAD' ? undefined : body)
  })
}

/** Returns the response to a request, without a server. If `add` is set, also handles POST add-product. */
export async function respondByHand(
  request: RequestByHand,
  readText: () => Promise<string>,
  add?: AddByHand,
): Promise<Answer> {
  const requestId = requestIdOf(joinHeader(request.headers['x-request-id']))
  try {
    const body = await bodyFor(request, requestId, readText, add)
    return { status: 200, headers: responseHeaders(requestId), body }
  } catch (error) {
    return { ...errorResponse(error), headers: responseHeaders(requestId) }
  }
}

type RequestByHand = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

async function bodyFor(
  { method, url = '', headers }: RequestByHand,
  requestId: string,
  readText: () => Promise<string>,
  add: AddByHand | undefined,
) {
  requireKey(joinHeader(headers['x-integration-api-key']))
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  if (path === '/integration/customer-portal/subscription') {
    if (method !== 'GET' && method !== 'HEAD') throw new ApiError('method_not_allowed')
    rejectTestMode(joinHeader(headers['x-integration-test-mode']), query)
    const data = await loadSubscription(emailOfQuery(query), requestId)
    return `{"success":true,"data":${JSON.stringify(checkedSubscription(data))}}`
  }
  const isDelay = path === '/integration/customer-portal/delay'
  if (!isDelay && (path !== '/integration/upsells/add-product' || add === undefined))
    throw new ApiError('endpoint_not_found')
  if (method !== 'POST') throw new ApiError('method_not_allowed')
  rejectTestMode(joinHeader(headers['x-integration-test-mode']), query)
  requireJson(headers['content-type'])
  const text = await readText()
  const idempotencyKey = idempotencyKeyOf(joinHeader(headers['idempotency-key']))
  if (isDelay) await delaySubscription(delayInput(text), requestId, idempotencyKey)
  else if (add !== undefined) {
    const input = addInput(text)
    await withinTime(() => add(input), requestId, idempotencyKey)
  }
  return '{"success":true}'
}

function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length']) > maxBodyBytes) return reject(new ApiError('payload_too_large'))
    const chunks: Buffer[] = []
    let bytes = 0
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBodyBytes) reject(new ApiError('payload_too_large'))
      else chunks.push(chunk)
    })
    req.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first.toString() : Buffer.concat(chunks).toString())
    })
    req.on('close', () => {
      if (!req.readableEnded) reject(new ApiError('invalid_request', 'body: ended before it was complete'))
    })
  })
}
