import { type EndpointName, shownParts } from '@storeport/core'
import type { CheckResult } from '../engine/run-check.ts'
import { countOf } from './count-of.ts'
import { findingOf } from './finding-of.ts'
import { groupOf, groupTitles, isGroupName } from './group-of.ts'
import { mustsOf } from './musts-of.ts'
import type { Report, ReportGroup, ReportResult } from './report.ts'

/** What a report is made of. */
export interface ReportInput extends Pick<
  Report,
  'kit' | 'startedAt' | 'durationMs' | 'mode' | 'only' | 'strict' | 'profile'
> {
  /** What every target is appended to. */
  readonly baseUrl: string
  /** What every path starts with. */
  readonly basePath: string
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** How the checks came out. */
  readonly results: readonly CheckResult[]
  /** Why the run could not be made or ended before its end. */
  readonly problem: string | undefined
}

/** Makes the report of a run. */
export function createReport({ baseUrl, basePath, offered, results, problem, ...run }: ReportInput): Report {
  const reported = results.map((result) => reportResult(result, baseUrl, run.strict))
  const counts = countOf(reported)
  const wasMade = counts.passed + counts.failed + counts.warnings > 0
  const nothing = results.length > 0 && !wasMade ? 'none of the checks could be made' : undefined
  const why = problem ?? nothing ?? null
  return {
    ...run,
    address: baseUrl.replace(/\/$/, '') + basePath,
    problem: why,
    verdict: why !== null ? null : counts.failed > 0 ? 'NOT READY' : 'READY',
    counts,
    musts: mustsOf(results, offered, run.mode),
    offered,
    parts: offered.length === 0 ? [] : shownParts(offered),
    groups: groupsOf(reported),
  }
}

function reportResult(
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

function groupsOf(reported: readonly ReportResult[]): readonly ReportGroup[] {
  return Object.keys(groupTitles)
    .filter(isGroupName)
    .map((name) => {
      const results = reported.filter(({ id }) => groupOf(id) === name)
      return { name, title: groupTitles[name], counts: countOf(results), results }
    })
    .filter(({ results }) => results.length > 0)
}
