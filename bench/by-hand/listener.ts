import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAcceptedKey } from './check-api-key.ts'
import { delaySubscription, getSubscription } from './endpoints.ts'
import { readBody } from './read-body.ts'
import { requireJson } from './read-input.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { answerHeaders, idempotencyKeyOf, refuseTestMode, requestIdOf } from './request-headers.ts'

/** The limit: two endpoints written by hand on node:http, with every check that StorePort makes. */
export function byHand(req: IncomingMessage, res: ServerResponse): void {
  const requestId = requestIdOf(one(req.headers['x-request-id']))
  const send = (status: number, body: string) => {
    res.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...answerHeaders(requestId) })
    res.end(req.method === 'HEAD' ? undefined : body)
  }
  bodyFor(req, requestId).then(
    (body) => send(200, body),
    (error: unknown) => {
      const { status, body } = refusalOf(error)
      send(status, body)
    },
  )
}

async function bodyFor(req: IncomingMessage, requestId: string): Promise<string> {
  if (!isAcceptedKey(one(req.headers['x-integration-api-key']) ?? '')) throw new Refusal('unauthorized')
  const url = req.url ?? ''
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  switch (path) {
    case '/integration/customer-portal/subscription':
      if (req.method !== 'GET' && req.method !== 'HEAD') throw new Refusal('method_not_allowed')
      refuseTestMode(one(req.headers['x-integration-test-mode']), query)
      return getSubscription(query, requestId)
    case '/integration/customer-portal/delay':
      if (req.method !== 'POST') throw new Refusal('method_not_allowed')
      refuseTestMode(one(req.headers['x-integration-test-mode']), query)
      requireJson(req.headers['content-type'])
      return delaySubscription(await readBody(req), requestId, idempotencyKeyOf(one(req.headers['idempotency-key'])))
    default:
      throw new Refusal('endpoint_not_found')
  }
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}
