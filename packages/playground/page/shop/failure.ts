import { texts } from '../texts.ts'

/** Why a click did not work. */
export interface Failure {
  /** A code of the contract, or one of our own: `host_offline`, `shop_unreachable`, `host_refused`, `invalid_answer`. */
  readonly code: string
  /** What the developer reads. */
  readonly message: string
}

/** What came of a call. */
export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: Failure }

/** What the customer reads; the shop's own words are for developers. */
export function customerText({ code }: Failure): string {
  const known: Readonly<Record<string, string>> = texts.customerErrors
  return (Object.hasOwn(known, code) ? known[code] : undefined) ?? texts.customerErrorOther
}

/** Whether a failure says that the shop does not know who reads. */
export function isStranger({ code }: Failure): boolean {
  return code === 'customer_not_found'
}

/** Whether a failure only says that there is nothing to show. */
export function isNothingToShow({ code }: Failure): boolean {
  return code === 'customer_not_found' || code === 'subscription_not_found'
}
