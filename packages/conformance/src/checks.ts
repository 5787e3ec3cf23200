import type { EndpointName } from '@storeport/core'
import { checks as addProduct } from './endpoints/add-product/checks.ts'
import { checks as delaySubscription } from './endpoints/delay-subscription/checks.ts'
import { checks as getDiscount } from './endpoints/get-discount/checks.ts'
import { checks as getSubscription } from './endpoints/get-subscription/checks.ts'
import { checks as listCancelledSubscriptions } from './endpoints/list-cancelled-subscriptions/checks.ts'
import { checks as listProducts } from './endpoints/list-products/checks.ts'
import { checks as reactivateSubscription } from './endpoints/reactivate-subscription/checks.ts'
import { checks as runCustomAction } from './endpoints/run-custom-action/checks.ts'
import { checks as sendNow } from './endpoints/send-now/checks.ts'
import { checks as swapProduct } from './endpoints/swap-product/checks.ts'
import { checks as undoAddProduct } from './endpoints/undo-add-product/checks.ts'
import { checks as alone } from './together/alone/checks.ts'
import { checks as customers } from './together/customers/checks.ts'
import { checks as items } from './together/items/checks.ts'
import { checks as overlap } from './together/overlap/checks.ts'
import { checks as profile } from './together/profile/checks.ts'
import { checks as replays } from './together/replays/checks.ts'
import { checks as state } from './together/state/checks.ts'
import { checks as stress } from './together/stress/checks.ts'
import { checks as answers } from './wire/answers/checks.ts'
import { checks as authentication } from './wire/authentication/checks.ts'
import { checks as bodies } from './wire/bodies/checks.ts'
import { checks as dates } from './wire/dates/checks.ts'
import { checks as emails } from './wire/emails/checks.ts'
import { checks as errors } from './wire/errors/checks.ts'
import { checks as fields } from './wire/fields/checks.ts'
import { checks as headers } from './wire/headers/checks.ts'
import { checks as http } from './wire/http/checks.ts'
import { checks as inputs } from './wire/inputs/checks.ts'
import { checks as keys } from './wire/keys/checks.ts'
import { checks as lengths } from './wire/lengths/checks.ts'
import { checks as privacy } from './wire/privacy/checks.ts'
import { checks as queries } from './wire/queries/checks.ts'
import { checks as retries } from './wire/retries/checks.ts'
import { checks as routing } from './wire/routing/checks.ts'
import { checks as testMode } from './wire/test-mode/checks.ts'
import type { Check } from './engine/check.ts'

const ofWire = {
  authentication,
  keys,
  answers,
  headers,
  routing,
  bodies,
  queries,
  fields,
  emails,
  dates,
  errors,
  inputs,
  privacy,
  http,
  lengths,
  testMode,
  retries,
}

/** In the order in which they are made: what uses something up comes last. */
const ofEndpoints = {
  listProducts,
  listCancelledSubscriptions,
  getDiscount,
  runCustomAction,
  getSubscription,
  addProduct,
  swapProduct,
  undoAddProduct,
  reactivateSubscription,
  delaySubscription,
  sendNow,
} satisfies Record<EndpointName, readonly Check[]>

const together = { alone, customers, items, profile, state, replays, stress, overlap }

/**
 * Every check. Each reads first and compares with what it read, so any order will do on a fresh shop; in this order most
 * find what they need on one shop, since those that use something up come last.
 */
export const checks: readonly Check[] = [ofWire, ofEndpoints, together]
  .flatMap((topics) => Object.values(topics))
  .flat()
