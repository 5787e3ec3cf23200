import { type EndpointName, endpoints, isEndpointName, shownParts, widgetTitles } from '@storeport/core'
import type { CheckResult } from '../run/run-check.ts'
import { findingOf } from './finding.ts'
import { mustsOf } from './musts.ts'
import type { Counts, FoundCause, GroupName, Report, ReportGroup, ReportResult, Verdict } from './report.ts'

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

/** The exit code of each verdict. */
export const exitCodes = {
  READY: 0,
  'NOT TRIED': 0,
  'NOT CONFORMING': 1,
  'NOT CHECKED': 2,
  INCOMPLETE: 3,
  'CONFORMS, NOT READY': 4,
} as const satisfies Record<Verdict, number>

/** The verdict of a run; `null` for chosen checks, which cannot give one. */
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
  return musts.untried.length > 0 ? 'INCOMPLETE' : 'READY'
}

/** The exit code of the command: that of the verdict; of chosen checks 1 where one fails, else 0. */
export function exitCodeOf({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>): 0 | 1 | 2 | 3 | 4 {
  if (verdict === null) return counts.failed > 0 ? 1 : 0
  return exitCodes[verdict]
}

/** How checks came out, in words: what there is none of is left out. */
export function countWords({ passed, failed, warnings, skipped }: Counts): readonly string[] {
  return [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
}

/** What was checked and how, in one line. */
export function runWords({ groups, durationMs, mode, only, profile, strict }: Report): string {
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

/** What the verdict rests on and what to do next, in sentences. */
function sentencesOf(report: Omit<Report, 'sentences'>): readonly string[] {
  const { verdict, counts, musts, strict, problem, only, changed } = report
  const sentences: string[] = []
  if (problem !== null) sentences.push(`Not all could be checked: ${problem}.`)
  sentences.push(...mustWords(musts, only))
  if (strict && counts.failed > 0)
    sentences.push('With --strict, what was decided where the caller specifies nothing counts too.')
  if (verdict !== 'NOT CONFORMING' && counts.warnings > 0) {
    sentences.push(
      `${plural(counts.warnings, 'warning')}: the caller specifies nothing there and may well work; what was decided is safer.`,
    )
  }
  if (verdict === 'NOT TRIED') sentences.push('A run that may change test customers tells more.')
  sentences.push(...changed.map((change) => `Left changed: ${change}`))
  if (verdict === null) sentences.push('Chosen checks give no verdict: a whole run does.')
  return sentences
}

/** How the specified requirements came out; of chosen checks, only those that they try. */
function mustWords({ failed, held, untried }: Report['musts'], only: readonly string[]): readonly string[] {
  const isChosen = only.length > 0
  const parts = [
    ...(held > 0 ? [`${held} hold`] : []),
    ...(failed.length > 0 ? [`${failed.length} ${failed.length === 1 ? 'does' : 'do'} not hold`] : []),
    ...(untried.length > 0 && !isChosen ? [`${untried.length} not tried`] : []),
  ]
  if (parts.length === 0) return []
  return [
    `Specified requirements: ${parts.join(', ')}.`,
    ...(failed.length > 0 ? [`What does not hold: ${failed.join(', ')}.`] : []),
    ...(isChosen ? [] : untriedWords(untried)),
  ]
}

/** A number and its word. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** Each text with how often it is there, the most frequent first. */
export function tally(texts: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)
}

/** One sentence for each thing that would let some of them be tried. */
function untriedWords(untried: Report['musts']['untried']): readonly string[] {
  return tally(untried.map(({ give }) => give)).map(([give]) => {
    const same = untried.filter((other) => other.give === give)
    const reasons = tally(same.map(({ reason }) => reason)).map(([reason]) => reason)
    return `Not tried: ${same.map(({ id }) => id).join(', ')} (${reasons.join('; ')}). It takes ${give}.`
  })
}
