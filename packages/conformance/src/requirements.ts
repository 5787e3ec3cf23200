import type { Requirement } from './engine/requirement.ts'
import { answers } from './requirements/answers.ts'
import { authentication } from './requirements/authentication.ts'
import { fields } from './requirements/fields.ts'
import { portal } from './requirements/portal.ts'
import { reactivate } from './requirements/reactivate.ts'
import { requests } from './requirements/requests.ts'
import { state } from './requirements/state.ts'
import { upsells } from './requirements/upsells.ts'

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
