import { type EndpointName, shownParts } from '@storeport/core'
import type { CheckResult } from '../engine/run-check.ts'
import { causesOf } from './causes-of.ts'
import { countOf } from './count-of.ts'
import { groupOf, groupTitles, isGroupName } from './group-of.ts'
import { mustsOf } from './musts-of.ts'
import { sentencesOf } from './words.ts'
import { reportResult } from './report-result.ts'
import type { Report, ReportGroup, ReportResult } from './report.ts'
import { verdictOf } from './verdict-of.ts'

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
  /** What the run left changed, in sentences; default nothing. */
  readonly changed?: readonly string[] | undefined
  /** Why the run could not be made or ended before its end. */
  readonly problem: string | undefined
}

/** Makes the report of a run. */
export function createReport({
  baseUrl,
  basePath,
  offered,
  results,
  problem,
  changed = [],
  ...run
}: ReportInput): Report {
  const reported = results.map((result) => reportResult(result, baseUrl, run.strict))
  const groups = groupsOf(reported)
  const counts = countOf(reported)
  const wasMade = counts.passed + counts.failed + counts.warnings > 0
  const told = {
    ...run,
    address: baseUrl.replace(/\/$/, '') + basePath,
    problem: problem ?? problemOf(offered, results.length > 0 && !wasMade),
    counts,
    musts: mustsOf(results, offered, run.mode),
    offered,
    changed,
    parts: offered.length === 0 ? [] : shownParts(offered),
    groups,
    causes: causesOf(groups),
  }
  const verdict = verdictOf(told)
  return { ...told, verdict, sentences: sentencesOf({ ...told, verdict }) }
}

function problemOf(offered: readonly EndpointName[], wasNothingMade: boolean): string | null {
  if (offered.length === 0) return 'the shop offers no endpoint'
  return wasNothingMade ? 'none of the checks could be made' : null
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
