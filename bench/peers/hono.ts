import { type Context, Hono, type HonoRequest } from 'hono'
import { askDelay, askSubscription } from '../by-hand/ask-store.ts'
import { isAcceptedKey } from '../by-hand/check-api-key.ts'
import { Refusal, refusalOf } from '../by-hand/refusal.ts'
import { answerHeaders, idempotencyKeyOf, requestIdOf } from '../by-hand/request-headers.ts'
import { roundedMoney } from './rounded-money.ts'
import { checkedAnswer, checkedInput, CustomerQuery, DelayBody, SubscriptionAnswer } from './schemas.ts'

/** The two endpoints as a Hono app, as its guide writes them, with the zod schemas of the contract. */
export const honoApp = new Hono()

honoApp.use(async (context, next) => {
  if (!isAcceptedKey(context.req.header('x-integration-api-key') ?? '')) throw new Refusal('unauthorized')
  await next()
})

honoApp.get('/integration/customer-portal/subscription', async (context) => {
  const requestId = idOf(context.req)
  const { email } = checkedInput(CustomerQuery, context.req.query())
  const data = await askSubscription(email, requestId)
  if (data === null) throw new Refusal('subscription_not_found')
  return json(context, checkedAnswer(SubscriptionAnswer, { success: true, data: roundedMoney(data) }), requestId)
})

honoApp.post('/integration/customer-portal/delay', async (context) => {
  const requestId = idOf(context.req)
  const input = checkedInput(DelayBody, await context.req.json())
  await askDelay(input, requestId, idempotencyKeyOf(context.req.header('idempotency-key')))
  return json(context, { success: true }, requestId)
})

honoApp.onError((error, context) => {
  const { status, body } = refusalOf(error)
  return new Response(body, { status, headers: answerHeaders(idOf(context.req)) })
})

function idOf(request: HonoRequest): string {
  return requestIdOf(request.header('x-request-id'))
}

function json(context: Context, value: object, requestId: string): Response {
  return context.body(JSON.stringify(value), 200, answerHeaders(requestId))
}
