import type { CheckResult } from '../run/run-check.ts'
import { findingOf } from './finding-of.ts'
import type { ReportResult } from './report.ts'

/** Makes plain data of how a check came out; what was decided where the caller specifies nothing is a warning, unless that is to count. */
export function reportResult(
  { check, outcome, reason, failure, durationMs }: CheckResult,
  baseUrl: string,
  strict: boolean,
): ReportResult {
  const finding = failure === undefined ? null : findingOf(failure, baseUrl)
  const isWarning = finding?.level === 'should' && !strict
  return {
    id: check.id,
    title: check.title,
    outcome: outcome === 'failed' && isWarning ? 'warning' : outcome,
    reason: reason ?? null,
    durationMs: Math.round(durationMs),
    finding,
  }
}
