import { createServer } from 'node:http'
import express, { type ErrorRequestHandler, type Request } from 'express'
import { errorResponse, requestIdOf, requireKey, responseHeaders } from '../by-hand/contract.ts'
import { getSubscription, postDelay } from '../by-hand/with-schemas.ts'
import { runServer } from '../measure/follow-orders.ts'

const app = express()

// Disables two headers, because they cost CPU time and no other variant sends them.
app.disable('x-powered-by')
app.disable('etag')

app.use((req, _res, next) => {
  requireKey(req.get('x-integration-api-key'))
  next()
})
app.use(express.json({ limit: '64kb' }))

app.get('/integration/customer-portal/subscription', async (req, res) => {
  const id = requestId(req)
  const body = await getSubscription(req.query, id)
  res.set(responseHeaders(id)).send(body)
})

app.post('/integration/customer-portal/delay', async (req, res) => {
  const id = requestId(req)
  const body = await postDelay(req.body, id, req.get('idempotency-key'))
  res.set(responseHeaders(id)).send(body)
})

const onError: ErrorRequestHandler = (error, req, res, _next) => {
  const { status, body } = errorResponse(error)
  res
    .status(status)
    .set(responseHeaders(requestId(req)))
    .send(body)
}
app.use(onError)

function requestId(req: Request): string {
  return requestIdOf(req.get('x-request-id'))
}

runServer(createServer(app))
