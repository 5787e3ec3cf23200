import { isAcceptedKey } from './check-api-key.ts'
import { delaySubscription, getSubscription } from './endpoints.ts'
import { maxBodyBytes } from './read-body.ts'
import { requireJson } from './read-input.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { answerHeaders, idempotencyKeyOf, refuseTestMode, requestIdOf } from './request-headers.ts'

/** The limit in process: the two endpoints as a plain fetch handler, with every check that StorePort makes. */
export async function fetchByHand(request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  try {
    const body = await bodyFor(request, requestId)
    return new Response(request.method === 'HEAD' ? null : body, { status: 200, headers: answerHeaders(requestId) })
  } catch (error) {
    const { status, body } = refusalOf(error)
    return new Response(body, { status, headers: answerHeaders(requestId) })
  }
}

async function bodyFor(request: Request, requestId: string): Promise<string> {
  const { headers, method, url } = request
  if (!isAcceptedKey(headers.get('x-integration-api-key') ?? '')) throw new Refusal('unauthorized')
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?')
  const path = mark === -1 ? url.slice(start) : url.slice(start, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  switch (path) {
    case '/integration/customer-portal/subscription':
      if (method !== 'GET' && method !== 'HEAD') throw new Refusal('method_not_allowed')
      refuseTestMode(headers.get('x-integration-test-mode'), query)
      return getSubscription(query, requestId)
    case '/integration/customer-portal/delay':
      if (method !== 'POST') throw new Refusal('method_not_allowed')
      refuseTestMode(headers.get('x-integration-test-mode'), query)
      requireJson(headers.get('content-type'))
      return delaySubscription(await readText(request), requestId, idempotencyKeyOf(headers.get('idempotency-key')))
    default:
      throw new Refusal('endpoint_not_found')
  }
}

/** Not `request.text()`, which takes longer and has no limit. */
async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length')) > maxBodyBytes) throw new Refusal('payload_too_large')
  if (request.body === null) return ''
  const reader = request.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBodyBytes) throw new Refusal('payload_too_large')
    text += decoder.decode(value, { stream: true })
  }
}
