import Fastify, { type FastifyRequest } from 'fastify'
import {
  ApiError,
  delaySubscription,
  errorResponse,
  idempotencyKeyOf,
  loadSubscription,
  joinHeader,
  requestIdOf,
  requireKey,
  responseHeaders,
} from '../by-hand/contract.ts'
import { roundMoney } from '../by-hand/with-schemas.ts'
import { reportPort } from '../measure/follow-orders.ts'

/** Creates a JSON Schema for an object. */
function object(required: object, optional: object = {}) {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } }
}

const email = { type: 'string', format: 'email', maxLength: 254 }
const money = { type: 'number', minimum: 0 }
const success = { type: 'boolean', const: true }
const item = object(
  {
    id: { type: 'string', minLength: 1, maxLength: 255 },
    title: { type: 'string', minLength: 1 },
    price: money,
    images: { type: 'array', items: { type: 'string', format: 'uri', pattern: '^https?://' } },
    quantity: { type: 'integer', minimum: 1 },
  },
  { description: { type: 'string' } },
)
const subscription = object(
  { next_billing_date: { type: 'string', format: 'date' }, items: { type: 'array', items: item } },
  { shipping_total_cost: money, order_discount_total: money, customer_tax_rate: money },
)

// Fastify compiles the schemas into validators for input and output, and into serializers for output.
const app = Fastify({ bodyLimit: 65_536, genReqId: () => '' })

app.addHook('onRequest', async ({ headers }) => requireKey(joinHeader(headers['x-integration-api-key'])))

app.get<{ Querystring: { email: string } }>(
  '/integration/customer-portal/subscription',
  { schema: { querystring: object({ email }), response: { 200: object({ success }, { data: subscription }) } } },
  async (request, reply) => {
    const id = requestId(request)
    const data = await loadSubscription(request.query.email, id)
    if (!request.validateInput(data, subscription)) throw new ApiError('invalid_store_response')
    return reply.headers(responseHeaders(id)).send({ success: true, data: roundMoney(data) })
  },
)

app.post<{ Body: { email: string; new_date: string } }>(
  '/integration/customer-portal/delay',
  {
    schema: {
      body: object({ email, new_date: { type: 'string', format: 'date' } }),
      response: { 200: object({ success }) },
    },
  },
  async (request, reply) => {
    const id = requestId(request)
    await delaySubscription(request.body, id, idempotencyKeyOf(joinHeader(request.headers['idempotency-key'])))
    return reply.headers(responseHeaders(id)).send({ success: true })
  },
)

app.setErrorHandler((error, request, reply) => {
  const isOfSchema = error instanceof Error && 'validation' in error && error.validation !== undefined
  const { status, body } = errorResponse(isOfSchema ? new ApiError('invalid_request') : error)
  return reply
    .code(status)
    .headers(responseHeaders(requestId(request)))
    .serializer(String)
    .send(body)
})

function requestId({ headers }: FastifyRequest): string {
  return requestIdOf(joinHeader(headers['x-request-id']))
}

reportPort(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port))
