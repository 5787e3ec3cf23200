export type { Check, CheckMode } from './engine/check.ts'
export type { CallOptions, CheckContext, RawRequest } from './engine/check-context.ts'
export { CheckFailure, type FailureDetails } from './engine/check-failure.ts'
export { CheckSkip } from './engine/check-skip.ts'
export { checks } from './checks.ts'
export { parseProfile } from './profile/parse-profile.ts'
export type { Capability, PlainRequest, PlainResponse, Send } from './http/plain-http.ts'
export type * from './profile/profile.ts'
export type { Reply } from './http/reply.ts'
export { toContractPage } from './report/to-contract-page.ts'
export type { Level, Requirement } from './engine/requirement.ts'
export { isRequirementId, type RequirementId, requirements } from './requirements.ts'
export {
  type CheckResult,
  offeredBy,
  runCheck,
  runChecks,
  type RunMode,
  type RunOptions,
  type RunReport,
  selectChecks,
} from './engine/run-checks.ts'
export { readProfile } from './profile/read-profile.ts'
export { seedProfile } from './profile/seed-profile.ts'
export { ShopError } from './engine/shop-error.ts'
export { sendByFetch } from './http/send-by-fetch.ts'
export { sendByHttp } from './http/send-by-http.ts'
export { sendTo } from './http/send-to.ts'
