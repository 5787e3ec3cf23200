import type { Colors } from 'picocolors/types.js'
import { escapeUnsafe } from '../http/escape.ts'
import { keyVariable } from './curl-line.ts'
import { findingRows } from './finding.ts'
import type { Counts, Finding, FoundCause, Report, ReportGroup, ReportResult, Verdict } from './report.ts'
import { describeCounts, describeRun, groupBy, plural } from './create-report.ts'

/** Maximum number of lines of a report, so that it fits on a screen. The other formats contain all causes. */
const maxReportLines = 60

/** Maximum length of a value, in characters. A curl command is not shortened, so that it can be copied. */
const maxValueLength = 240

/** Maximum length of a response, in characters. */
const maxResponseLength = 140

/** Maximum length of a sentence about the run, in characters. */
const maxSentenceLength = 600

/** Maximum number of remaining changes in the text report, and maximum number of skip reasons. */
const maxLines = 3

/** Options of the text report. */
export interface TextOptions {
  /** Whether to print all causes. */
  readonly isComplete?: boolean
  /** Where to find the causes that do not fit, and all details. */
  readonly details?: string
}

/** Formats a report for a terminal: the verdict, the causes of the findings, the counts, and one line for each group. */
export function toText(
  report: Report,
  colors: Colors,
  { isComplete = false, details = '--json FILE saves all details.' }: TextOptions = {},
): string {
  const { verdict, problem, causes, groups, parts, counts } = report
  const { bold, dim } = colors
  const results = groups.flatMap((group) => group.results)
  const word = verdict === null ? 'Selected checks' : colors[verdictColors[verdict]](verdict)
  const isChange = (sentence: string) => sentence.startsWith('Remaining change: ')
  const isRisk = (sentence: string) => report.risks.some(({ risk }) => sentence.startsWith(risk))
  const reasons = report.sentences.filter(
    (one) => !isChange(one) && !isRisk(one) && !one.startsWith('The run is not complete'),
  )
  const hidden = parts.filter(({ shown }) => !shown)
  const blocks = causes.map((cause, index) => causeLines(cause, index + 1, results, colors))
  const before = [
    '',
    `  ${bold(word)}  ${oneLine(report.address)}`,
    ...(problem === null ? [] : [`  ${oneLine(problem)}`]),
    ...report.sentences.filter(isRisk).map((risk) => `  ${colors.red('!')} ${oneLine(risk)}`),
  ]
  const after = [
    '',
    `  ${bold(describeCounts(counts).join(', '))}  ${dim(oneLine(describeRun(report)))}`,
    ...reasons.map((one) => `  ${oneLine(one, maxSentenceLength)}`),
    ...shorten(report.sentences.filter(isChange), 'remaining change').map((change) => `  ${oneLine(change)}`),
    ...(causes.length > 0
      ? [
          dim(`  The curl commands read the key from $${keyVariable}. --explain ID prints a requirement.`),
          dim(`  ${details}`),
        ]
      : []),
    '',
    ...(parts.length > 0
      ? [`  The email platform will show ${parts.length - hidden.length} of ${parts.length} widgets and buttons.`]
      : []),
    ...hidden.map(({ title, missing }) => dim(`    hidden: ${title} (not offered: ${missing.join(', ')})`)),
  ]
  const skips = skipLines(results).map(dim)
  const others = before.length + after.length + groups.length + skips.length
  const shown = isComplete ? blocks.length : countFitting(blocks, maxReportLines - others)
  return [
    ...before,
    ...blocks.slice(0, shown).flat(),
    ...(blocks.length > shown ? ['', `  and ${plural(blocks.length - shown, 'more cause')}`] : []),
    ...after,
    ...groups.map((group) => groupLine(group, report, colors, shown)),
    ...skips,
    '',
  ].join('\n')
}

/** Returns the number of causes that fit into a number of lines with a line that counts the other causes, at least one. */
function countFitting(blocks: readonly (readonly string[])[], most: number): number {
  let lines = 2
  const first = blocks.findIndex((block) => (lines += block.join('\n').split('\n').length) > most)
  return first === -1 ? blocks.length : Math.max(first, 1)
}

/** Returns the lines of a cause. */
function causeLines(
  { outcome, cause, checks }: FoundCause,
  place: number,
  results: readonly ReportResult[],
  colors: Colors,
): string[] {
  const [first = '', ...more] = checks
  const finding = results.find(({ id }) => id === first)?.finding
  if (finding === null || finding === undefined) return []
  const others = more.length === 0 ? '' : colors.dim(` and ${plural(more.length, 'other check')}`)
  const number = `${place}.`.padEnd(3)
  const mark = outcome === 'failed' ? colors.red('✗') : colors.yellow('!')
  return ['', `  ${mark} ${number} ${colors.bold(oneLine(cause))}  ${first}${others}`, ...rowsOf(finding, colors)]
}

/** Rows of a finding in the terminal. The cause is the heading, and `--explain` prints why the requirement matters. */
const shownRows: ReadonlySet<string> = new Set(['request', 'response', 'requirement'])

function rowsOf(finding: Finding, { dim }: Colors): string[] {
  const all = findingRows(finding)
  const [expected, found] = ['expected', 'found'].map((name) => all.find((row) => row.name === name)?.value)
  const rows = all.filter(({ name }) => shownRows.has(name))
  const difference = `expected ${oneLine(expected ?? '')}${found === undefined ? '' : `, found ${oneLine(found)}`}`
  // A read does not show which change preceded it, so the last successful POST is printed first. The same applies to
  // several concurrent requests. The requests of a sequence contain the change.
  const isChange = finding.request?.startsWith('GET ') === false || finding.curl?.includes('\n') === true
  const last = isChange ? undefined : finding.before.findLast((call) => /^POST .* → 2\d\d /s.test(call))
  const shown = [
    ...(last === undefined ? [] : [['after', oneLine(last)] as const]),
    ...rows.map(({ name, value }) => {
      if (name === 'response') return [name, `${oneLine(value, maxResponseLength)}; ${difference}`] as const
      // Aligns several requests.
      return [name, name === 'request' ? value.replaceAll('\n', `\n${' '.repeat(19)}`) : oneLine(value)] as const
    }),
  ]
  return shown.map(([name, value]) => `      ${dim(name.padEnd(12))} ${value}`)
}

/** Returns the line of a group: the number of checks by outcome, and the numbers of the group's causes. */
function groupLine(
  { title, counts, results }: ReportGroup,
  { groups, causes }: Report,
  colors: Colors,
  shown: number,
): string {
  const ids = new Set(results.map(({ id }) => id))
  const numbers = causes
    .slice(0, shown)
    .flatMap(({ checks }, index) => (checks.some((id) => ids.has(id)) ? [index + 1] : []))
  const width = Math.max(...groups.map((group) => group.title.length)) + 2
  const named = numbers.length === 0 ? '' : `  ${numbers.length === 1 ? 'cause' : 'causes'} ${numbers.join(', ')}`
  return `  ${groupMark(counts, colors)} ${title.padEnd(width)}${colors.dim(describeCounts(counts).join(' · '))}${named}`
}

function groupMark({ failed, warnings, passed }: Counts, { red, yellow, green, dim }: Colors): string {
  if (failed > 0) return red('✗')
  if (warnings > 0) return yellow('!')
  return passed > 0 ? green('✓') : dim('-')
}

/** Returns the most frequent skip reasons. */
function skipLines(results: readonly ReportResult[]): readonly string[] {
  const reasons = groupBy(
    results.flatMap(({ reason }) => reason ?? []),
    (reason) => reason,
  ).toSorted(([, one], [, other]) => other.length - one.length)
  return shorten(
    reasons.map(([reason, same]) => `${same.length} skipped: ${oneLine(reason)}`),
    'other reason',
  ).map((line) => `    ${line}`)
}

function shorten(lines: readonly string[], word: string): readonly string[] {
  const rest = lines.length - maxLines
  return rest <= 0 ? lines : [...lines.slice(0, maxLines), `and ${plural(rest, word)}`]
}

/** Formats a string as one line. Escapes control characters, which the terminal would interpret as commands. */
export function oneLine(text: string, longest = maxValueLength): string {
  const line = escapeUnsafe(text.replace(/[\t\n\v\f\r ]+/g, ' '))
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

const verdictColors = {
  READY: 'green',
  'READ-ONLY: NO FAILURES': 'green',
  'NOT CONFORMING': 'red',
  'CONFORMS, NOT READY': 'red',
  INCOMPLETE: 'yellow',
  'NOT CHECKED': 'yellow',
} as const satisfies Record<Verdict, keyof Colors>
