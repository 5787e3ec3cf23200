export type {
  CallOptions,
  Check,
  CheckContext,
  CheckLayer,
  CheckMode,
  Exploration,
  FailureDetails,
  RawRequest,
} from './engine/check.ts'
export { CheckFailure, CheckSkip } from './engine/check-end.ts'
export type { CheckOptions, Clock, RunMode, RunOptions } from './engine/options.ts'
export type { Level, Requirement, RequirementId } from './engine/requirement.ts'
export type { Capability, PlainRequest, PlainResponse, Send } from './http/plain-http.ts'
export type { Reply } from './http/reply.ts'
export { sendByHttp, sendTo } from './http/send.ts'
export { type Interval, parseProfile, type Profile, readProfile } from './profile/profile.ts'
export { createSeedProfile, seedProfile } from './profile/seed-profile.ts'
export { createReport, type ReportInput, reportResult } from './report/create-report.ts'
export { createKeyHider, type HideKeys } from './http/hide-keys.ts'
export { findingRows, type FindingRow } from './report/finding.ts'
export type * from './report/report.ts'
export { offeredBy, ShopError } from './run/discover.ts'
export { type Framework, frameworks } from './run/frameworks.ts'
export { type CheckResult, runCheck } from './run/run-check.ts'
export { collectReport, runChecks, type RunEvent, type RunReport, selectChecks } from './run/run-checks.ts'
export { checks, isRequirementId, requirements, type TopicOfRequirements, topics } from './run/topics.ts'
