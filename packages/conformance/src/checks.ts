import type { Check } from './engine/check.ts'
import { adding } from './endpoints/add-product/checks.ts'
import { answers } from './wire/answers/checks.ts'
import { authentication } from './wire/authentication/checks.ts'
import { bodies } from './wire/bodies/checks.ts'
import { customActions } from './endpoints/run-custom-action/checks.ts'
import { dates } from './wire/dates/checks.ts'
import { delaying } from './endpoints/delay-subscription/checks.ts'
import { discountCodes } from './checks/discount-codes.ts'
import { discounts } from './endpoints/get-discount/checks.ts'
import { emails } from './wire/emails/checks.ts'
import { errorChecks } from './wire/errors/checks.ts'
import { fields } from './wire/fields/checks.ts'
import { neighbours } from './together/customers/checks.ts'
import { outputs } from './checks/outputs.ts'
import { products } from './endpoints/list-products/checks.ts'
import { queries } from './wire/queries/checks.ts'
import { reactivating } from './endpoints/reactivate-subscription/checks.ts'
import { retries } from './wire/retries/checks.ts'
import { routing } from './wire/routing/checks.ts'
import { sending } from './endpoints/send-now/checks.ts'
import { state } from './together/state/checks.ts'
import { stress } from './together/stress/checks.ts'
import { subscription } from './endpoints/get-subscription/checks.ts'
import { swapping } from './endpoints/swap-product/checks.ts'
import { undoing } from './endpoints/undo-add-product/checks.ts'

/**
 * Every check. Each reads first and compares with what it read, so any order will do on a fresh shop; in this order most
 * find what they need on one shop, since those that use something up come last.
 */
export const checks: readonly Check[] = [
  ...authentication,
  ...answers,
  ...routing,
  ...bodies,
  ...queries,
  ...fields,
  ...emails,
  ...dates,
  ...errorChecks,
  ...outputs,
  ...products,
  ...discounts,
  ...customActions,
  ...subscription,
  ...adding,
  ...swapping,
  ...discountCodes,
  ...undoing,
  ...retries,
  ...neighbours,
  ...state,
  ...reactivating,
  ...delaying,
  ...sending,
  ...stress,
]
