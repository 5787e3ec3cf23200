import { type EndpointName, endpoints, isEndpointName, shownParts, widgetTitles } from '@storeport/core'
import type { CheckResult } from '../run/run-check.ts'
import { findingOf } from './finding.ts'
import { mustsOf } from './musts.ts'
import type { Counts, FoundCause, GroupName, Report, ReportGroup, ReportResult, Verdict } from './report.ts'

/** Input of a report. */
export interface ReportInput extends Pick<
  Report,
  'kit' | 'startedAt' | 'durationMs' | 'mode' | 'only' | 'strict' | 'profile'
> {
  /** URL of the server, without the path prefix of the API. */
  readonly baseUrl: string
  /** Path prefix of the API. */
  readonly basePath: string
  /** The endpoints that the shop offers. */
  readonly offered: readonly EndpointName[]
  /** Results of the checks. */
  readonly results: readonly CheckResult[]
  /** The changes that remain after the run, one sentence each; defaults to none. */
  readonly changed?: readonly string[] | undefined
  /** Why the run could not start or complete; `undefined` if it completed. */
  readonly problem: string | undefined
}

/** Creates the report of a run. */
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
  const report = {
    ...run,
    address: baseUrl.replace(/\/$/, '') + basePath,
    problem: problem ?? problemOf(offered, results.length > 0 && !wasMade),
    counts,
    musts: mustsOf(results, offered, run.mode),
    offered,
    changed,
    parts: offered.length === 0 || run.mode === 'read-only' ? [] : shownParts(offered),
    groups,
    causes: causesOf(groups),
  }
  const verdict = verdictOf(report)
  return { ...report, verdict, sentences: createSentences({ ...report, verdict }) }
}

function problemOf(offered: readonly EndpointName[], wasNothingMade: boolean): string | null {
  if (offered.length === 0) return 'the shop offers no endpoints'
  return wasNothingMade ? 'no check could run' : null
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

/** Groups findings by cause within each report group: failures first, most frequent first. */
function causesOf(groups: readonly ReportGroup[]): readonly FoundCause[] {
  return (['failed', 'warning'] as const).flatMap((outcome) => {
    const found = groups.flatMap((group) => {
      const results = group.results.filter((result) => result.outcome === outcome)
      return countEqual(results.map(commonOf)).map(([common]) => {
        const same = results.filter((result) => commonOf(result) === common)
        const checks = same.map(({ id }) => id)
        return { family: group.name, title: group.title, outcome, cause: same[0]?.finding?.cause ?? '', checks }
      })
    })
    return found.toSorted((one, other) => other.checks.length - one.checks.length)
  })
}

/** Returns the grouping key of a finding: the cause, and the received error if the response is missing. */
function commonOf({ finding }: ReportResult): string {
  if (finding === null) return ''
  return finding.curl !== null && finding.answer === null ? `${finding.cause} ${finding.received}` : finding.cause
}

function countOf(results: readonly ReportResult[]): Counts {
  const count = (wanted: ReportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), warnings: count('warning'), skipped: count('skipped') }
}

/** Titles of the groups, in the order of the report. */
const groupTitles: Readonly<Record<GroupName, string>> = {
  everyCall: 'Every request',
  ...widgetTitles,
  together: 'Customers, retries and load',
}

/** Returns the group of a check: the widget of its endpoint, or a general group. */
function groupOf(id: string): GroupName {
  const [topic = ''] = id.split('.')
  if (isEndpointName(topic)) return endpoints[topic].widget
  return ['customers', 'state', 'retries', 'testMode', 'stress'].includes(topic) ? 'together' : 'everyCall'
}

function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(groupTitles, name)
}

/** Converts a result to plain data. A failed `should` is a warning unless `strict` is set. */
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

/** Exit codes of the verdicts. */
export const exitCodes = {
  READY: 0,
  'NOT TRIED': 0,
  'NOT CONFORMING': 1,
  'NOT CHECKED': 2,
  INCOMPLETE: 3,
  'CONFORMS, NOT READY': 4,
} as const satisfies Record<Verdict, number>

/** Returns the verdict of a run; `null` if only selected checks ran. */
function verdictOf({
  problem,
  counts,
  musts,
  only,
  mode,
}: Pick<Report, 'problem' | 'counts' | 'musts' | 'only' | 'mode'>): Verdict | null {
  if (problem !== null) return 'NOT CHECKED'
  if (only.length > 0) return null
  if (counts.failed > 0) return 'NOT CONFORMING'
  if (mode === 'read-only') return 'NOT TRIED'
  return musts.untested.length > 0 ? 'INCOMPLETE' : 'READY'
}

/** Returns the exit code of the verdict. For selected checks, returns 1 if a check fails, otherwise 0. */
export function exitCodeOf({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): 0 | 1 | 2 | 3 | 4 {
  if (verdict === null) return counts.failed > 0 ? 1 : 0
  return exitCodes[verdict]
}

/** Describes the counts. Omits counts of 0, except passed checks. */
export function describeCounts({ passed, failed, warnings, skipped }: Counts): readonly string[] {
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
}

/** Describes the run on one line. */
export function describeRun({ groups, durationMs, mode, only, profile, strict }: Report): string {
  const count = groups.reduce((sum, { results }) => sum + results.length, 0)
  const modes = { 'read-only': 'read-only', default: 'default mode', stress: 'with stress' }
  const parts = [
    `${plural(count, 'check')} in ${(durationMs / 1000).toFixed(1)} s`,
    modes[mode],
    ...(only.length > 0 ? [`only ${only.join(', ')}`] : []),
    ...(strict ? ['strict'] : []),
    `test data: ${profile}`,
  ]
  return parts.join(' · ')
}

/** Returns the reasons for the verdict and the next steps. */
function createSentences(report: Omit<Report, 'sentences'>): readonly string[] {
  const { verdict, counts, musts, mode, strict, problem, only, changed } = report
  const sentences: string[] = []
  if (problem !== null) sentences.push(`The run is not complete: ${problem}.`)
  sentences.push(...describeMusts(musts, only))
  if (strict && counts.failed > 0) sentences.push('With --strict, a failed `should` requirement counts as a failure.')
  if (verdict !== 'NOT CONFORMING' && counts.warnings > 0) {
    sentences.push(
      `${plural(counts.warnings, 'warning')} about behavior that the email platform does not specify. The current behavior may work, but the recommended behavior is safer.`,
    )
  }
  if (mode === 'read-only' && problem === null)
    sentences.push(
      'A read-only run tests only GET endpoints. It does not detect action endpoints (POST) or their buttons.',
    )
  sentences.push(...changed.map((change) => `Remaining change: ${change}`))
  if (verdict === null) sentences.push('A run of selected checks has no verdict. Run all checks to get a verdict.')
  return sentences
}

/** Describes the results of the specified requirements; for selected checks, only the tested requirements. */
function describeMusts({ failed, held, untested }: Report['musts'], only: readonly string[]): readonly string[] {
  const isChosen = only.length > 0
  const parts = [
    ...(held > 0 ? [`${held} ${held === 1 ? 'holds' : 'hold'}`] : []),
    ...(failed.length > 0 ? [`${failed.length} ${failed.length === 1 ? 'does' : 'do'} not hold`] : []),
    ...(untested.length > 0 && !isChosen ? [`${untested.length} not tried`] : []),
  ]
  if (parts.length === 0) return []
  return [
    `Specified requirements: ${parts.join(', ')}.`,
    ...(failed.length > 0 ? [`Failed requirements: ${failed.join(', ')}.`] : []),
    ...(isChosen ? [] : describeUntested(untested)),
  ]
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Counts equal strings, the most frequent first. */
export function countEqual(texts: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** Returns one sentence for each remedy, with the requirements that the remedy makes testable. */
function describeUntested(untested: Report['musts']['untested']): readonly string[] {
  return countEqual(untested.map(({ remedy }) => remedy)).map(([remedy]) => {
    const same = untested.filter((other) => other.remedy === remedy)
    const reasons = countEqual(same.map(({ reason }) => reason)).map(([reason]) => reason)
    return `Not tried: ${same.map(({ id }) => id).join(', ')} (${reasons.join('; ')}). Required: ${remedy}.`
  })
}
