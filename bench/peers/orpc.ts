import { ORPCError, os } from '@orpc/server'
import { askDelay, askSubscription } from '../by-hand/ask-store.ts'
import { isAcceptedKey } from '../by-hand/check-api-key.ts'
import { refusalOf } from '../by-hand/refusal.ts'
import { idempotencyKeyOf } from '../by-hand/request-headers.ts'
import { roundedMoney } from './rounded-money.ts'
import { CustomerQuery, DelayBody, Done, SubscriptionAnswer } from './schemas.ts'

/** What a server tells the procedures about a request. */
export interface OrpcContext {
  readonly apiKey: string
  readonly requestId: string
  readonly idempotencyKey: string | null | undefined
}

const withKey = os.$context<OrpcContext>().use(({ context, next }) => {
  if (!isAcceptedKey(context.apiKey)) throw new ORPCError('UNAUTHORIZED')
  return next()
})

/** The two endpoints as oRPC procedures with OpenAPI routes, with the zod schemas of the contract. */
export const orpcRouter = {
  getSubscription: withKey
    .route({ method: 'GET', path: '/integration/customer-portal/subscription' })
    .input(CustomerQuery)
    .output(SubscriptionAnswer)
    .handler(async ({ input, context }) => {
      const data = await askSubscription(input.email, context.requestId).catch(asOrpcError)
      if (data === null) throw new ORPCError('NOT_FOUND')
      return { success: true, data: roundedMoney(data) }
    }),
  delaySubscription: withKey
    .route({ method: 'POST', path: '/integration/customer-portal/delay' })
    .input(DelayBody)
    .output(Done)
    .handler(async ({ input, context }) => {
      await askDelay(input, context.requestId, idempotencyKeyOf(context.idempotencyKey)).catch(asOrpcError)
      return { success: true }
    }),
}

function asOrpcError(error: unknown): never {
  const { status } = refusalOf(error)
  throw new ORPCError('REFUSED', { status })
}
