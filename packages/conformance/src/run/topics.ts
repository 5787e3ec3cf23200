import { type EndpointName, endpointNames } from '@storeport/core'
import type { Check } from '../engine/check.ts'
import { type Requirement, type RequirementId, type Requirements } from '../engine/requirement.ts'
import * as addProduct from '../endpoints/add-product.ts'
import * as delaySubscription from '../endpoints/delay-subscription.ts'
import * as getDiscount from '../endpoints/get-discount.ts'
import * as getSubscription from '../endpoints/get-subscription.ts'
import * as listCancelledSubscriptions from '../endpoints/list-cancelled-subscriptions.ts'
import * as listProducts from '../endpoints/list-products.ts'
import * as reactivateSubscription from '../endpoints/reactivate-subscription.ts'
import * as runCustomAction from '../endpoints/run-custom-action.ts'
import * as sendNow from '../endpoints/send-now.ts'
import * as swapProduct from '../endpoints/swap-product.ts'
import * as undoAddProduct from '../endpoints/undo-add-product.ts'
import * as explore from '../explore/explore.ts'
import * as smallShops from '../cases/small-shops.ts'
import * as clicks from '../cases/clicks.ts'
import * as customers from '../cases/customers.ts'
import * as identity from '../cases/identity.ts'
import * as items from '../cases/items.ts'
import * as state from '../cases/state.ts'
import * as stress from '../cases/stress.ts'
import * as responses from '../requests/responses.ts'
import * as authentication from '../requests/authentication.ts'
import * as bodies from '../requests/bodies.ts'
import * as dates from '../requests/dates.ts'
import * as emails from '../requests/emails.ts'
import * as errors from '../requests/errors.ts'
import * as fields from '../requests/fields.ts'
import * as headers from '../requests/headers.ts'
import * as hostile from '../requests/hostile.ts'
import * as http from '../requests/http.ts'
import * as lengths from '../requests/lengths.ts'
import * as privacy from '../requests/privacy.ts'
import * as queries from '../requests/queries.ts'
import * as retries from '../requests/retries.ts'
import * as routing from '../requests/routing.ts'
import * as testMode from '../requests/test-mode.ts'

/** Exports of a module that defines checks. */
interface Topic {
  readonly checks: readonly Check[]
  readonly requirements?: Requirements
}

const wireTopics = {
  authentication,
  responses,
  headers,
  routing,
  bodies,
  queries,
  fields,
  emails,
  dates,
  errors,
  privacy,
  http,
  lengths,
  testMode,
  retries,
  hostile,
}

/** Endpoint topics, in the sequence in which their checks run. Checks that use up test data are last. */
const endpointTopics: Readonly<Record<EndpointName, Topic>> = {
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
}

const together = {
  smallShops,
  customers,
  items,
  state,
  identity,
  clicks,
  stress,
  explore,
}

/**
 * All checks, in the sequence in which they run.
 *
 * Each check first reads the data for its comparison, so any sequence works on a fresh shop. If all checks run on one
 * shop, most checks find their test data, because checks that use up test data are last.
 */
export const checks: readonly Check[] = arrangeChecks(
  [wireTopics, endpointTopics, together].flatMap((topics) =>
    Object.values<Topic>(topics).flatMap((topic) => topic.checks),
  ),
)

/**
 * Moves the checks that only read to the front. The checks of RETRY-1 and RETRY-2 follow, since a shop that fails them
 * also ignores changes and undos of the other checks.
 */
function arrangeChecks(all: readonly Check[]): readonly Check[] {
  const first = ['retries.count-once-within-the-window', 'retries.take-effect-again-after-another-change']
  const isFirst = ({ id }: Check) => first.includes(id)
  const isRead = ({ mode }: Check) => mode === 'read-only'
  return [
    ...all.filter(isRead),
    ...all.filter(isFirst).toSorted((one, other) => first.indexOf(one.id) - first.indexOf(other.id)),
    ...all.filter((check) => !isRead(check) && !isFirst(check)),
  ]
}

/** The requirements of one topic. */
export interface TopicOfRequirements {
  /** Name of an endpoint or of another topic, with which the ids of its checks start. */
  readonly name: string
  readonly requirements: Requirements
}

/** Topics with requirements: of every request, of each endpoint, and of several requests. */
export const topics: readonly TopicOfRequirements[] = [
  ...Object.entries<Topic>(wireTopics),
  ...endpointNames.map((name): [string, Topic] => [name, endpointTopics[name]]),
  ...Object.entries<Topic>(together),
].flatMap(([name, { requirements }]) => (requirements === undefined ? [] : [{ name, requirements }]))

/** All requirements by id. */
export const requirements: Requirements = Object.assign({}, ...topics.map((topic) => topic.requirements))

/** Returns the requirement with an id. Throws TypeError for an unknown id. */
export function requirementOf(id: RequirementId): Requirement {
  const found = requirements[id]
  if (found === undefined) throw new TypeError(`requirement ${id} not found`)
  return found
}

/** Returns whether a string is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text)
}
