export type { Check, CheckMode } from './check.ts'
export type { CallOptions, CheckContext, RawRequest } from './check-context.ts'
export { CheckFailure, type FailureDetails } from './check-failure.ts'
export { CheckSkip } from './check-skip.ts'
export { checks } from './checks.ts'
export { parseProfile } from './parse-profile.ts'
export type { Capability, PlainRequest, PlainResponse, Send } from './plain-http.ts'
export type * from './profile.ts'
export type { Reply } from './reply.ts'
export { toContractPage } from './report/to-contract-page.ts'
export type { Level, Requirement } from './requirement.ts'
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
} from './run-checks.ts'
export { readProfile } from './read-profile.ts'
export { seedProfile } from './seed-profile.ts'
export { ShopError } from './shop-error.ts'
export { sendByFetch } from './send-by-fetch.ts'
export { sendByHttp } from './send-by-http.ts'
export { sendTo } from './send-to.ts'
