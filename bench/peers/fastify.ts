import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { askDelay, askSubscription } from '../by-hand/ask-store.ts'
import { isAcceptedKey } from '../by-hand/check-api-key.ts'
import { Refusal, refusalOf } from '../by-hand/refusal.ts'
import { answerHeaders, idempotencyKeyOf, requestIdOf } from '../by-hand/request-headers.ts'
import { roundedMoney } from './rounded-money.ts'

const email = { type: 'string', format: 'email', maxLength: 254 }
const money = { type: 'number', minimum: 0 }

const item = {
  type: 'object',
  required: ['id', 'title', 'price', 'images', 'quantity'],
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 255 },
    title: { type: 'string', minLength: 1 },
    price: money,
    images: { type: 'array', items: { type: 'string', format: 'uri', pattern: '^https?://' } },
    quantity: { type: 'integer', minimum: 1 },
    description: { type: 'string' },
  },
}

const subscription = {
  type: 'object',
  required: ['next_billing_date', 'items'],
  properties: {
    next_billing_date: { type: 'string', format: 'date' },
    items: { type: 'array', items: item },
    shipping_total_cost: money,
    order_discount_total: money,
    customer_tax_rate: { type: 'number', minimum: 0 },
  },
}

const success = { type: 'boolean', const: true }
const subscriptionAnswer = { type: 'object', required: ['success'], properties: { success, data: subscription } }
const done = { type: 'object', required: ['success'], properties: { success } }
const customerQuery = { type: 'object', required: ['email'], properties: { email } }
const delayBody = {
  type: 'object',
  required: ['email', 'new_date'],
  properties: { email, new_date: { type: 'string', format: 'date' } },
}

/** The two endpoints as a Fastify app with schemas of its own, which it compiles: for the input, the answer's check and its JSON. */
export const fastifyApp = Fastify({ bodyLimit: 65_536, genReqId: () => '' })

fastifyApp.addHook('onRequest', async (request) => {
  if (!isAcceptedKey(one(request.headers['x-integration-api-key']) ?? '')) throw new Refusal('unauthorized')
})

fastifyApp.get<{ Querystring: { email: string } }>(
  '/integration/customer-portal/subscription',
  { schema: { querystring: customerQuery, response: { 200: subscriptionAnswer } } },
  async (request, reply) => {
    const requestId = idOf(request)
    const data = await askSubscription(request.query.email, requestId)
    if (data === null) throw new Refusal('subscription_not_found')
    if (!request.validateInput(data, subscription)) throw new Refusal('invalid_store_response')
    return json(reply, { success: true, data: roundedMoney(data) }, requestId)
  },
)

fastifyApp.post<{ Body: { email: string; new_date: string } }>(
  '/integration/customer-portal/delay',
  { schema: { body: delayBody, response: { 200: done } } },
  async (request, reply) => {
    const requestId = idOf(request)
    await askDelay(request.body, requestId, idempotencyKeyOf(one(request.headers['idempotency-key'])))
    return json(reply, { success: true }, requestId)
  },
)

fastifyApp.setErrorHandler((error, request, reply) => {
  const isOfSchema = error instanceof Error && 'validation' in error && error.validation !== undefined
  const { status, body } = refusalOf(isOfSchema ? new Refusal('invalid_request') : error)
  return reply
    .code(status)
    .headers(answerHeaders(idOf(request)))
    .serializer(String)
    .send(body)
})

function idOf(request: FastifyRequest): string {
  return requestIdOf(one(request.headers['x-request-id']))
}

function json(reply: FastifyReply, value: object, requestId: string): FastifyReply {
  return reply.headers(answerHeaders(requestId)).send(value)
}

function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value.join(', ') : value
}
