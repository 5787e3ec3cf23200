import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { errorResponse, requestIdOf, requireKey, responseHeaders } from '../by-hand/contract.ts'
import { getSubscription, postDelay } from '../by-hand/with-schemas.ts'
import { runServer } from '../measure/follow-orders.ts'

const app = new Hono()

app.use(async (context, next) => {
  requireKey(context.req.header('x-integration-api-key'))
  await next()
})

app.get('/integration/customer-portal/subscription', async (context) => {
  const id = requestId(context)
  return context.body(await getSubscription(context.req.query(), id), 200, responseHeaders(id))
})

app.post('/integration/customer-portal/delay', async (context) => {
  const id = requestId(context)
  const body = await postDelay(await context.req.json(), id, context.req.header('idempotency-key'))
  return context.body(body, 200, responseHeaders(id))
})

app.onError((error, context) => {
  const { status, body } = errorResponse(error)
  return new Response(body, { status, headers: responseHeaders(requestId(context)) })
})

function requestId(context: Context): string {
  return requestIdOf(context.req.header('x-request-id'))
}

runServer(createServer(getRequestListener(app.fetch)))
