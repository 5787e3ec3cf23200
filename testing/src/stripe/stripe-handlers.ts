import type { StripeAccount } from './stripe-account.ts'
import type { StripeRequests } from './stripe-requests.ts'

/** Handlers of all supported requests. Each handler returns its resource with ids instead of expanded objects. */
export type Handlers = {
  readonly [Name in keyof StripeRequests]: (
    account: StripeAccount,
    params: StripeRequests[Name]['params'],
    id: string,
  ) => StripeRequests[Name]['answer']
}
