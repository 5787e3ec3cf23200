import type { EndpointName } from '@storeport/core'
import type { Requirement } from './engine/requirement.ts'
import { requirements as addProduct } from './endpoints/add-product/requirements.ts'
import { requirements as delaySubscription } from './endpoints/delay-subscription/requirements.ts'
import { requirements as getDiscount } from './endpoints/get-discount/requirements.ts'
import { requirements as getSubscription } from './endpoints/get-subscription/requirements.ts'
import { requirements as listCancelledSubscriptions } from './endpoints/list-cancelled-subscriptions/requirements.ts'
import { requirements as listProducts } from './endpoints/list-products/requirements.ts'
import { requirements as reactivateSubscription } from './endpoints/reactivate-subscription/requirements.ts'
import { requirements as runCustomAction } from './endpoints/run-custom-action/requirements.ts'
import { requirements as sendNow } from './endpoints/send-now/requirements.ts'
import { requirements as swapProduct } from './endpoints/swap-product/requirements.ts'
import { requirements as undoAddProduct } from './endpoints/undo-add-product/requirements.ts'
import { requirements as customers } from './together/customers/requirements.ts'
import { requirements as items } from './together/items/requirements.ts'
import { requirements as overlap } from './together/overlap/requirements.ts'
import { requirements as replays } from './together/replays/requirements.ts'
import { requirements as state } from './together/state/requirements.ts'
import { requirements as stress } from './together/stress/requirements.ts'
import { requirements as answers } from './wire/answers/requirements.ts'
import { requirements as authentication } from './wire/authentication/requirements.ts'
import { requirements as bodies } from './wire/bodies/requirements.ts'
import { requirements as dates } from './wire/dates/requirements.ts'
import { requirements as emails } from './wire/emails/requirements.ts'
import { requirements as errors } from './wire/errors/requirements.ts'
import { requirements as fields } from './wire/fields/requirements.ts'
import { requirements as headers } from './wire/headers/requirements.ts'
import { requirements as http } from './wire/http/requirements.ts'
import { requirements as privacy } from './wire/privacy/requirements.ts'
import { requirements as queries } from './wire/queries/requirements.ts'
import { requirements as retries } from './wire/retries/requirements.ts'
import { requirements as routing } from './wire/routing/requirements.ts'
import { requirements as testMode } from './wire/test-mode/requirements.ts'

type Topics = Readonly<Record<string, Readonly<Record<string, Requirement>>>>

const wire = {
  authentication,
  answers,
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
  testMode,
  retries,
} as const satisfies Topics

const ofEndpoints = {
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
} as const satisfies Record<EndpointName, Topics[string]>

const together = { customers, items, state, replays, stress, overlap } as const satisfies Topics

/** The requirements by the folder in which they stand. */
export const topics = { ...wire, ...ofEndpoints, ...together } as const

/** The id of a requirement, such as `AUTH-1`. */
export type RequirementId = { [Topic in keyof typeof topics]: keyof (typeof topics)[Topic] }[keyof typeof topics]

/** Everything that a caller can see and rely on, by id; each check cites what it holds. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = Object.assign({}, ...Object.values(topics))

/** The sections of `docs/guide/api.md` that tell what is specified of every call. */
const sections: Readonly<Record<keyof typeof wire, string>> = {
  authentication: 'authentication',
  answers: 'answers',
  headers: 'answers',
  routing: 'requests',
  bodies: 'requests',
  queries: 'requests',
  fields: 'requests',
  emails: 'requests',
  dates: 'requests',
  errors: 'errors-of-every-call',
  privacy: 'answers',
  http: 'requests',
  testMode: 'test-mode',
  retries: 'retries',
}

/** Section of the API reference that tells a requirement, as in `delaysubscription`; none where it was decided, not specified. */
export function sectionOf(id: RequirementId): string | undefined {
  if (requirements[id].level !== 'must') return undefined
  const topic = Object.entries(topics).find(([, group]) => Object.hasOwn(group, id))?.[0]
  if (topic !== undefined && isWire(topic)) return sections[topic]
  return topic !== undefined && Object.hasOwn(ofEndpoints, topic) ? topic.toLowerCase() : undefined
}

function isWire(topic: string): topic is keyof typeof wire {
  return Object.hasOwn(wire, topic)
}

/** Whether a text is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text)
}
