import type { ShownPart } from '@storeport/core'
import type { Colors } from 'picocolors/types.js'
import { findingRows, keyVariable } from './finding.ts'
import type { Counts, Finding, FoundCause, Report, ReportGroup, ReportResult, Verdict } from './report.ts'
import { describeCounts, describeRun, countEqual } from './create-report.ts'

/** Maximum length of an expected or received value, in characters. */
const maxValueLength = 500

/** Maximum number of preceding requests, and their maximum length in characters. */
const maxPreceding = 3
const maxPrecedingLength = 160

/** Formats a report for a terminal. */
export function toText(report: Report, colors: Colors): string {
  const { bold, dim } = colors
  return [
    '',
    `  ${bold(report.address)}`,
    `  ${dim(describeRun(report))}`,
    ...(report.parts.length === 0 ? [] : ['', `  ${bold('The email platform will show')}`]),
    ...report.parts.map((part) => partLine(part, colors)),
    '',
    ...report.groups.flatMap((group) => groupLines(group, report, colors)),
    '',
    ...verdictLines(report, colors),
    '',
  ].join('\n')
}

function partLine({ title, isButton, shown, missing }: ShownPart, { green, red, dim }: Colors): string {
  const indent = isButton ? '      ' : '    '
  const why = shown ? '' : dim(`  hidden: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not offered`)
  return `${indent}${shown ? green('✓') : red('✗')} ${title}${why}`
}

function widthOf(groups: readonly ReportGroup[]): number {
  return Math.max(...groups.map(({ title }) => title.length)) + 2
}

/** Returns one line for a group, followed by its findings. Groups without findings form a table. */
function groupLines({ name, title, counts, results }: ReportGroup, report: Report, colors: Colors): string[] {
  const causes = report.causes.filter(({ family }) => family === name)
  const reasons = countEqual(results.flatMap(({ reason }) => reason ?? []))
  const width = widthOf(report.groups)
  return [
    `  ${groupMark(counts, colors)} ${colors.bold(title.padEnd(width))}${colors.dim(describeCounts(counts).join(' · '))}`,
    ...causes.flatMap((cause) => causeLines(cause, results, colors)),
    ...(causes.length > 0 && reasons.length > 0 ? [''] : []),
    ...reasons.map(([reason, count]) => colors.dim(`      ${count} skipped: ${reason}`)),
    ...(causes.length > 0 ? [''] : []),
  ]
}

function groupMark({ failed, warnings, passed }: Counts, { red, yellow, green, dim }: Colors): string {
  if (failed > 0) return red('✗')
  if (warnings > 0) return yellow('!')
  return passed > 0 ? green('✓') : dim('-')
}

/** Returns the lines of the findings with one cause: the first finding in full, then only the rows that differ. */
function causeLines(
  { outcome, cause, checks }: FoundCause,
  results: readonly ReportResult[],
  colors: Colors,
): string[] {
  const mark = outcome === 'failed' ? colors.red('✗') : colors.yellow('!')
  const found = checks.flatMap((id) => results.find((result) => result.id === id) ?? [])
  const lines = found.flatMap(({ id, title, finding }, index) => {
    if (finding === null) return []
    const named = ['', `    ${mark} ${colors.bold(id)}`]
    return index === 0
      ? [...named, `      ${title}`, ...rowsOf(finding, colors)]
      : [...named, ...rowsOf(finding, colors, briefRows)]
  })
  return found.length < 2 ? lines : ['', colors.dim(`    ${found.length} with the same cause: ${cause}`), ...lines]
}

/** Rows that differ between findings with the same cause. */
const briefRows: ReadonlySet<string> = new Set(['request', 'response', 'expected'])

function rowsOf(finding: Finding, { dim }: Colors, only?: ReadonlySet<string>): string[] {
  const calls = (only === undefined ? precedingRequests(finding.before) : []).map((call, index) => [
    index === 0 ? 'after' : '',
    oneLine(call, maxPrecedingLength),
  ])
  // The curl command is not shortened, so that it can be copied.
  const rows = findingRows(finding).filter(({ name }) => only?.has(name) !== false)
  const shown = rows.map(({ name, value }) => [name, name === 'request' ? value : oneLine(value)])
  return [...calls, ...shown].map(([name = '', value = '']) => `      ${dim(name.padEnd(11))} ${value}`)
}

/** Returns the last successful requests. Rejected requests rarely cause a failure. */
function precedingRequests(before: readonly string[]): readonly string[] {
  return before.filter((call) => / → 2\d\d /.test(call)).slice(-maxPreceding)
}

/** Formats a string as one line without control characters, which could control the terminal. */
function oneLine(text: string, longest = maxValueLength): string {
  const line = text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '\ufffd')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

function verdictLines({ verdict, counts, sentences }: Report, colors: Colors): string[] {
  const hint =
    counts.failed + counts.warnings > 0
      ? [`  ${colors.dim(`The curl commands read the key from $${keyVariable}.`)}`]
      : []
  const word = verdict === null ? [] : [colors.bold(colors[verdictColors[verdict]](verdict))]
  return [
    `  ${[...word, describeCounts(counts).join(', ')].join('  ')}`,
    ...sentences.map((sentence) => `  ${oneLine(sentence)}`),
    ...hint,
  ]
}

const verdictColors = {
  READY: 'green',
  'NOT TRIED': 'green',
  'NOT CONFORMING': 'red',
  'CONFORMS, NOT READY': 'red',
  INCOMPLETE: 'yellow',
  'NOT CHECKED': 'yellow',
} as const satisfies Record<Verdict, keyof Colors>
