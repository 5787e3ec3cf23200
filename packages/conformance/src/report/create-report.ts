import { type EndpointName, endpoints, isEndpointName, shownParts, widgetTitles } from '@storeport/core'
import type { CheckResult } from '../run/run-check.ts'
import { mustsOf } from './musts-of.ts'
import { sentencesOf, tally } from './words.ts'
import { reportResult } from './report-result.ts'
import type { Counts, FoundCause, GroupName, Report, ReportGroup, ReportResult } from './report.ts'
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

/** What was found, by what usually causes it and by the family of endpoints: failures first, the most frequent first. */
function causesOf(groups: readonly ReportGroup[]): readonly FoundCause[] {
  return (['failed', 'warning'] as const).flatMap((outcome) => {
    const found = groups.flatMap((group) => {
      const results = group.results.filter((result) => result.outcome === outcome)
      return tally(results.map(commonOf)).map(([common]) => {
        const same = results.filter((result) => commonOf(result) === common)
        const checks = same.map(({ id }) => id)
        return { family: group.name, title: group.title, outcome, cause: same[0]?.finding?.cause ?? '', checks }
      })
    })
    return found.toSorted((one, other) => other.checks.length - one.checks.length)
  })
}

/** What findings of one cause have in common: it, and what came back where that is no answer at all. */
function commonOf({ finding }: ReportResult): string {
  if (finding === null) return ''
  return finding.curl !== null && finding.answer === null ? `${finding.cause} ${finding.received}` : finding.cause
}

/** Counts how checks came out. */
function countOf(results: readonly ReportResult[]): Counts {
  const count = (wanted: ReportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), warnings: count('warning'), skipped: count('skipped') }
}

/** What the groups of checks are called, in the order of the report. */
const groupTitles: Readonly<Record<GroupName, string>> = {
  everyCall: 'Every call',
  ...widgetTitles,
  together: 'Customers, retries and load',
}

/** The group of a check, by its id: that of its endpoint's widget, or one of those that concern all. */
function groupOf(id: string): GroupName {
  const [topic = ''] = id.split('.')
  if (isEndpointName(topic)) return endpoints[topic].widget
  return ['customers', 'state', 'retries', 'testMode', 'stress'].includes(topic) ? 'together' : 'everyCall'
}

/** Whether a text is the name of a group. */
function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(groupTitles, name)
}
