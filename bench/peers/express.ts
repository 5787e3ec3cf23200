import express, { type ErrorRequestHandler, type Request, type Response } from 'express'
import { askDelay, askSubscription } from '../by-hand/ask-store.ts'
import { isAcceptedKey } from '../by-hand/check-api-key.ts'
import { Refusal, refusalOf } from '../by-hand/refusal.ts'
import { answerHeaders, idempotencyKeyOf, requestIdOf } from '../by-hand/request-headers.ts'
import { roundedMoney } from './rounded-money.ts'
import { checkedAnswer, checkedInput, CustomerQuery, DelayBody, SubscriptionAnswer } from './schemas.ts'

/** The two endpoints as an Express app, as its guide writes them, with the zod schemas of the contract. */
export const expressApp = express()

// Neither is in the answers of the others, and each costs.
expressApp.disable('x-powered-by')
expressApp.disable('etag')

expressApp.use((req, _res, next) => {
  next(isAcceptedKey(req.get('x-integration-api-key') ?? '') ? undefined : new Refusal('unauthorized'))
})
expressApp.use(express.json({ limit: '64kb' }))

expressApp.get('/integration/customer-portal/subscription', async (req, res) => {
  const requestId = idOf(req)
  const { email } = checkedInput(CustomerQuery, req.query)
  const data = await askSubscription(email, requestId)
  if (data === null) throw new Refusal('subscription_not_found')
  json(res, checkedAnswer(SubscriptionAnswer, { success: true, data: roundedMoney(data) }), requestId)
})

expressApp.post('/integration/customer-portal/delay', async (req, res) => {
  const requestId = idOf(req)
  const input = checkedInput(DelayBody, req.body)
  await askDelay(input, requestId, idempotencyKeyOf(req.get('idempotency-key')))
  json(res, { success: true }, requestId)
})

const onError: ErrorRequestHandler = (error, req, res, _next) => {
  const { status, body } = refusalOf(error)
  res
    .status(status)
    .set(answerHeaders(idOf(req)))
    .send(body)
}
expressApp.use(onError)

function idOf(req: Request): string {
  return requestIdOf(req.get('x-request-id'))
}

function json(res: Response, value: object, requestId: string): void {
  res.set(answerHeaders(requestId)).send(JSON.stringify(value))
}
