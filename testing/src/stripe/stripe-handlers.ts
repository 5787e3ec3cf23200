import type { StripeAccount } from './stripe-account.ts'
import type { StripeRequests } from './stripe-requests.ts'

/** Who answers each request: gets its parameters and the id of its path, returns the resource without anything expanded. */
export type Handlers = {
  readonly [Name in keyof StripeRequests]: (
    account: StripeAccount,
    params: StripeRequests[Name]['params'],
    id: string,
  ) => StripeRequests[Name]['answer']
}
