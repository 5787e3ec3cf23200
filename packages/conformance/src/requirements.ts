import type { Requirement } from './engine/requirement.ts'
import { answers } from './wire/answers/requirements.ts'
import { authentication } from './wire/authentication/requirements.ts'
import { fields } from './wire/fields/requirements.ts'
import { portal } from './endpoints/swap-product/requirements.ts'
import { reactivate } from './endpoints/reactivate-subscription/requirements.ts'
import { requests } from './wire/routing/requirements.ts'
import { state } from './wire/retries/requirements.ts'
import { upsells } from './endpoints/add-product/requirements.ts'

/** Everything that a caller can see and rely on, by id; each check cites what it holds. */
export const requirements = {
  ...authentication,
  ...answers,
  ...requests,
  ...fields,
  ...upsells,
  ...portal,
  ...reactivate,
  ...state,
} as const satisfies Record<string, Requirement>

/** The id of a requirement, such as `AUTH-1`. */
export type RequirementId = keyof typeof requirements

/** Whether a text is the id of a requirement. */
export function isRequirementId(text: string): text is RequirementId {
  return Object.hasOwn(requirements, text)
}
