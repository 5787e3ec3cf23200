import { type EndpointName, endpointNames, endpoints, isEndpointName, shownParts, widgetTitles } from '@storeport/core'
import { levels } from '../engine/requirement.ts'
import type { CheckResult } from '../run/run-check.ts'
import { isRequirementId, requirementOf } from '../run/topics.ts'
import { type Baseline, compareWithBaseline, describeBaseline } from './baseline.ts'
import { findingOf } from './finding.ts'
import { replayKey } from './repeats.ts'
import { mustsOf } from './musts.ts'
import type {
  Counts,
  FoundCause,
  FoundRisk,
  GroupName,
  Report,
  ReportGroup,
  ReportResult,
  Trials,
  Verdict,
} from './report.ts'

/** Data for a report. */
export interface ReportInput extends Pick<
  Report,
  'kit' | 'startedAt' | 'durationMs' | 'mode' | 'only' | 'strict' | 'profile'
> {
  /** Known failures. */
  readonly baseline?: Baseline | undefined
  /** Value of `--framework`. */
  readonly framework?: string | undefined
  /** Seed of the random sequences. */
  readonly seed?: number | undefined
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
  /** Removes the API keys from the reasons of skips, the remaining changes and the problem; see `createKeyHider`. */
  readonly hide?: ((text: string) => string) | undefined
}

/** Creates the report of a run. */
export function createReport({
  baseUrl,
  basePath,
  offered,
  results,
  problem,
  changed = [],
  baseline,
  framework,
  seed,
  hide = (text) => text,
  ...run
}: ReportInput): Report {
  const made = results.map(({ reason, ...result }) => ({
    ...result,
    ...(reason !== undefined && { reason: hide(reason) }),
  }))
  const failsRetry2 = results.some(({ failure }) => failure?.requirement === replayKey)
  const reported = made.map((result) => reportResult(result, baseUrl, run.strict, failsRetry2))
  const counts = countOf(reported)
  const wasMade = counts.passed + counts.failed + counts.warnings > 0
  const report = {
    ...run,
    framework: framework ?? null,
    seed: seed ?? null,
    address: baseUrl.replace(/\/$/, '') + basePath,
    problem: problem === undefined ? problemOf(offered, results.length > 0 && !wasMade) : hide(problem),
    counts,
    musts: mustsOf(made, offered, run.mode),
    risks: risksOf(reported),
    trials: trialsOf(results),
    offered,
    changed: changed.map(hide),
    parts: offered.length === 0 || run.mode === 'read-only' ? [] : shownParts(offered),
    groups: groupsOf(reported),
    causes: causesOf(reported),
    baseline: baseline === undefined ? null : compareWithBaseline(baseline, reported),
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

/** Groups findings by cause. Sorts the causes by their most important level. RETRY-2 is first, since it causes others. */
function causesOf(reported: readonly ReportResult[]): readonly FoundCause[] {
  const byKey = groupBy(
    reported.filter(({ finding }) => finding !== null),
    ({ finding }) => finding?.causeKey ?? '',
  )
  const rank = ({ finding }: ReportResult) =>
    finding?.causeKey === replayKey ? -1 : levels.indexOf(finding?.level ?? 'should')
  return byKey
    .map(([, found]) => found.toSorted((one, other) => rank(one) - rank(other)))
    .toSorted(([one], others) => (one === undefined || others[0] === undefined ? 0 : rank(one) - rank(others[0])))
    .map((found) => ({
      outcome: found.some(({ outcome }) => outcome === 'failed') ? ('failed' as const) : ('warning' as const),
      cause: found[0]?.finding?.cause ?? '',
      checks: found.map(({ id }) => id),
    }))
}

/** Returns the failed requirements of each kind of risk. */
function risksOf(reported: readonly ReportResult[]): readonly FoundRisk[] {
  const found = reported.filter(({ finding }) => finding?.level === 'risk')
  // A server error does not show what happens to a repeated click.
  const byRisk = groupBy(found, ({ finding }) =>
    (finding?.answer?.status ?? 0) >= 500 ? 'A request causes a server error.' : riskOf(finding?.requirement ?? ''),
  )
  return byRisk.map(([risk, results]) => ({
    risk,
    requirements: [...new Set(results.flatMap(({ finding }) => finding?.requirement ?? []))],
    topics: [...new Set(results.map(({ id }) => id.slice(0, id.indexOf('.'))))],
  }))
}

function riskOf(id: string): string {
  return (isRequirementId(id) ? requirementOf(id).risk : undefined) ?? ''
}

function trialsOf(results: readonly CheckResult[]): readonly Trials[] {
  return endpointNames.flatMap((endpoint) => {
    const trials = results.reduce((sum, result) => sum + (result.trials.get(endpoint) ?? 0), 0)
    return trials === 0 ? [] : [{ endpoint, trials, probability: 1 - 0.9 ** trials }]
  })
}

function countOf(results: readonly ReportResult[]): Counts {
  const count = (wanted: ReportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), warnings: count('warning'), skipped: count('skipped') }
}

/** Titles of the groups, in the sequence of the report. */
const groupTitles: Readonly<Record<GroupName, string>> = {
  everyCall: 'Every request',
  ...widgetTitles,
  together: 'Customers, retries and load',
}

/** Returns the group of a check id: the widget of the endpoint, or a general group. */
function groupOf(id: string): GroupName {
  const [topic = ''] = id.split('.')
  if (isEndpointName(topic)) return endpoints[topic].widget
  return ['customers', 'state', 'retries', 'testMode', 'stress', 'explore'].includes(topic) ? 'together' : 'everyCall'
}

function isGroupName(name: string): name is GroupName {
  return Object.hasOwn(groupTitles, name)
}

/** Converts a result to plain data. A failed `should` is a warning unless `strict` is set. */
export function reportResult(
  { check, outcome, reason, failure, durationMs }: CheckResult,
  baseUrl: string,
  strict: boolean,
  failsRetry2 = false,
): ReportResult {
  const finding = failure === undefined ? null : findingOf(failure, baseUrl, failsRetry2)
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
  'READ-ONLY: NO FAILURES': 0,
  'NOT CONFORMING': 1,
  'NOT CHECKED': 2,
  INCOMPLETE: 3,
  'CONFORMS, NOT READY': 4,
} as const satisfies Record<Verdict, number>

/** Returns the verdict of a run; `null` if only selected checks ran. A `must` that a response failed needs no complete run. */
function verdictOf(report: Pick<Report, 'problem' | 'groups' | 'musts' | 'risks' | 'only' | 'mode'>): Verdict | null {
  const { problem, groups, musts, risks, only, mode } = report
  const failed = groups.flatMap(({ results }) => results).filter(({ outcome }) => outcome === 'failed')
  const failedMusts = failed.filter(({ finding }) => finding?.level !== 'risk')
  const isProven = only.length === 0 && failedMusts.some(({ finding }) => finding !== null && finding.answer !== null)
  if (problem !== null) return isProven ? 'NOT CONFORMING' : 'NOT CHECKED'
  if (only.length > 0) return null
  if (failedMusts.length > 0) return 'NOT CONFORMING'
  if (risks.length > 0) return 'CONFORMS, NOT READY'
  if (mode === 'read-only') return 'READ-ONLY: NO FAILURES'
  return musts.untested.length > 0 ? 'INCOMPLETE' : 'READY'
}

/** Exit code of a run. */
export type ExitCode = (typeof exitCodes)[Verdict]

/**
 * Returns the exit code of the verdict. A run of selected checks has no verdict: the exit code is 1 if a check failed,
 * otherwise 0.
 *
 * With a baseline, failures do not count if all are listed. A listed requirement that holds is a failure.
 */
export function exitCodeOf({
  verdict,
  counts,
  baseline = null,
  problem = null,
}: Pick<Report, 'verdict' | 'counts'> & Partial<Pick<Report, 'baseline' | 'problem'>>): ExitCode {
  const code = verdict === null ? (counts.failed > 0 ? 1 : 0) : exitCodes[verdict]
  if (baseline === null || code === 2 || problem !== null) return code
  if (baseline.fixed.length > 0) return 1
  return code !== 3 && baseline.added.length === 0 ? 0 : code
}

/** Describes the number of checks by outcome. Omits an outcome without checks, except `passed`. */
export function describeCounts({ passed, failed, warnings, skipped }: Counts): readonly string[] {
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
}

/** Describes the run on one line. */
export function describeRun({ groups, durationMs, mode, only, profile, strict, framework }: Report): string {
  const count = groups.reduce((sum, { results }) => sum + results.length, 0)
  const modes = { 'read-only': 'read-only', default: 'default mode', stress: 'with stress' }
  const parts = [
    `${plural(count, 'check')} in ${(durationMs / 1000).toFixed(1)} s`,
    modes[mode],
    ...(only.length > 0 ? [`only ${only.join(', ')}`] : []),
    ...(strict ? ['strict'] : []),
    ...(framework === null ? [] : [`--framework ${framework}`]),
    `test data: ${profile}`,
  ]
  return parts.join(' · ')
}

/** Returns the reasons for the verdict and the next steps. */
function createSentences(report: Omit<Report, 'sentences'>): readonly string[] {
  const { verdict, counts, musts, risks, trials, mode, strict, problem, only, changed, baseline } = report
  return [
    ...(problem === null ? [] : [`The run is not complete: ${problem}.`]),
    ...(baseline === null ? [] : describeBaseline(baseline)),
    ...risks.map(({ risk, requirements, topics }) => `${risk} (${requirements.join(', ')}: ${topics.join(', ')})`),
    ...(musts.failed.length > 0 ? [`Failed requirements: ${musts.failed.join(', ')}.`] : []),
    ...(only.length > 0 || musts.failed.length > 0 ? [] : describeUntested(musts.untested)),
    ...(strict && counts.failed > 0 ? ['With --strict, a failed `should` requirement counts as a failure.'] : []),
    ...(verdict === 'READY' ? [limits] : []),
    ...(problem === null && only.length === 0 && mode !== 'read-only' ? describeUntriedClicks(report) : []),
    ...(mode === 'read-only' && problem === null
      ? ['A read-only run tests only GET endpoints. It does not detect action endpoints (POST) or their buttons.']
      : []),
    ...changed.map((change) => `Remaining change: ${change}`),
    ...(verdict === null ? ['A run of selected checks has no verdict. Run all checks to get a verdict.'] : []),
    ...describeMusts(musts, only),
    ...(trials.length > 0 ? [describeTrials(trials)] : []),
  ]
}

/** Describes the repeated clicks, and the probability of finding a shop in which one of ten takes effect twice. */
function describeTrials(trials: readonly Trials[]): string {
  const words = trials.map(({ endpoint, trials: count, probability }) => {
    return `${endpoint} ${count} (${Math.round(probability * 100)} %)`
  })
  return `Repeated clicks, with the probability of detecting a shop in which one click in ten takes effect twice: ${words.join(', ')}.`
}

/** Names the actions whose clicks no check repeated. */
function describeUntriedClicks({ offered, trials }: Pick<Report, 'offered' | 'trials'>): readonly string[] {
  const untried = offered.filter(
    (name) => endpoints[name].method === 'POST' && !trials.some(({ endpoint }) => endpoint === name),
  )
  return untried.length === 0 ? [] : [`No check could count the effects of repeated clicks: ${untried.join(', ')}.`]
}

/** Counts the specified requirements and the risks. After a run of selected checks, omits untested requirements. */
function describeMusts({ failed, held, untested }: Report['musts'], only: readonly string[]): readonly string[] {
  const counts = { passed: held, failed: failed.length, 'not tested': only.length > 0 ? 0 : untested.length }
  const parts = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
  return parts.length === 0 ? [] : [`Specified requirements and risks: ${parts.join(', ')}.`]
}

/** What no run can see, even if every requirement holds. */
const limits =
  "Requests for a few customers cannot show locks between customers, the database's isolation, or kills in the middle of a change. docs/guide/conformance.md describes how to test them (Limits of a run)."

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Groups elements by key, in the sequence of first elements. Replaces `Map.groupBy`, which requires Node 21. */
export function groupBy<One>(all: readonly One[], keyOf: (one: One) => string) {
  const groups = new Map<string, One[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return [...groups]
}

/** Returns one sentence for each remedy, with the untested requirements that need the remedy. */
function describeUntested(untested: Report['musts']['untested']): readonly string[] {
  return groupBy(untested, ({ remedy }) => remedy).map(([remedy, same]) => {
    const reasons = [...new Set(same.map(({ reason }) => reason))]
    return `Not tried: ${same.map(({ id }) => id).join(', ')} (${reasons.join('; ')}). Required: ${remedy}.`
  })
}
