import type { StripeAccount } from './stripe-account.ts'
import type { StripeRequests } from './stripe-requests.ts'

/** Handlers of all requests. Each handler receives the parameters and the id in the path. It returns the resource unexpanded. */
export type Handlers = {
  readonly [Name in keyof StripeRequests]: (
    account: StripeAccount,
    params: StripeRequests[Name]['params'],
    id: string,
  ) => StripeRequests[Name]['answer']
}
