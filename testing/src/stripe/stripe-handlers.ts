import type { StripeAccount } from './stripe-account.ts'
import type { StripeRequests } from './stripe-requests.ts'

/** Handlers of all requests. Each gets the parameters and the id in the path, and returns the resource without expansions. */
export type Handlers = {
  readonly [Name in keyof StripeRequests]: (
    account: StripeAccount,
    params: StripeRequests[Name]['params'],
    id: string,
  ) => StripeRequests[Name]['answer']
}
