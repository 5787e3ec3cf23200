import type { Check } from './engine/check.ts'
import { adding } from './checks/adding.ts'
import { answers } from './checks/answers.ts'
import { authentication } from './checks/authentication.ts'
import { bodies } from './checks/bodies.ts'
import { customActions } from './checks/custom-actions.ts'
import { dates } from './checks/dates.ts'
import { delaying } from './checks/delaying.ts'
import { discountCodes } from './checks/discount-codes.ts'
import { discounts } from './checks/discounts.ts'
import { emails } from './checks/emails.ts'
import { errorChecks } from './checks/errors.ts'
import { fields } from './checks/fields.ts'
import { neighbours } from './checks/neighbours.ts'
import { outputs } from './checks/outputs.ts'
import { products } from './checks/products.ts'
import { queries } from './checks/queries.ts'
import { reactivating } from './checks/reactivating.ts'
import { retries } from './checks/retries.ts'
import { routing } from './checks/routing.ts'
import { sending } from './checks/sending.ts'
import { state } from './checks/state.ts'
import { stress } from './checks/stress.ts'
import { subscription } from './checks/subscription.ts'
import { swapping } from './checks/swapping.ts'
import { undoing } from './checks/undoing.ts'

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
