import type { EndpointName } from '@storeport/core'
import { mutants as addProduct } from './add-product.ts'
import { mutants as delaySubscription } from './delay-subscription.ts'
import { mutants as getDiscount } from './get-discount.ts'
import { mutants as getSubscription } from './get-subscription.ts'
import { mutants as listCancelledSubscriptions } from './list-cancelled-subscriptions.ts'
import { mutants as listProducts } from './list-products.ts'
import { mutants as reactivateSubscription } from './reactivate-subscription.ts'
import { mutants as runCustomAction } from './run-custom-action.ts'
import { mutants as sendNow } from './send-now.ts'
import { mutants as swapProduct } from './swap-product.ts'
import { mutants as undoAddProduct } from './undo-add-product.ts'
import { mutants as customers } from './together/customers.ts'
import { mutants as items } from './together/items.ts'
import { mutants as overlap } from './together/overlap.ts'
import { mutants as profile } from './together/profile.ts'
import { mutants as replays } from './together/replays.ts'
import { mutants as state } from './together/state.ts'
import { mutants as stress } from './together/stress.ts'
import { mutants as answers } from './wire/answers.ts'
import { mutants as authentication } from './wire/authentication.ts'
import { mutants as bodies } from './wire/bodies.ts'
import { mutants as dates } from './wire/dates.ts'
import { mutants as emails } from './wire/emails.ts'
import { mutants as errors } from './wire/errors.ts'
import { mutants as fields } from './wire/fields.ts'
import { mutants as headers } from './wire/headers.ts'
import { mutants as http } from './wire/http.ts'
import { mutants as inputs } from './wire/inputs.ts'
import { mutants as keys } from './wire/keys.ts'
import { mutants as privacy } from './wire/privacy.ts'
import { mutants as queries } from './wire/queries.ts'
import { mutants as retries } from './wire/retries.ts'
import { mutants as routing } from './wire/routing.ts'
import { mutants as testMode } from './wire/test-mode.ts'
import type { Mutant } from './mutant.ts'

const ofOperations = {
  listProducts,
  addProduct,
  undoAddProduct,
  getSubscription,
  sendNow,
  delaySubscription,
  swapProduct,
  listCancelledSubscriptions,
  reactivateSubscription,
  runCustomAction,
  getDiscount,
} satisfies Record<EndpointName, readonly Mutant[]>

/** All mutants: by the operation or the topic whose checks catch them. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  ...ofOperations,
  customers,
  items,
  state,
  profile,
  replays,
  stress,
  overlap,
  authentication,
  keys,
  routing,
  queries,
  bodies,
  fields,
  emails,
  dates,
  answers,
  headers,
  errors,
  inputs,
  privacy,
  http,
  retries,
  testMode,
}
