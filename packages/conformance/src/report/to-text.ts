import type { ShownPart } from '@storeport/core'
import type { Colors } from 'picocolors/types.js'
import { keyVariable } from './curl-line.ts'
import { findingRows } from './finding-rows.ts'
import type { Counts, Finding, Report, ReportGroup, ReportResult, Verdict } from './report.ts'
import { countWords, runWords, tally } from './words.ts'

/** How many failures of one requirement in one group are shown in full. */
const mostInFull = { failed: 3, warning: 1 }

/** How much of what was expected, and of what came back, is shown. */
const longestValue = 500

/** How many of the calls that led to a failure are shown, and how much of each. */
const mostBefore = 3
const longestBefore = 160

/** A report for a terminal. */
export function toText(report: Report, colors: Colors): string {
  const { bold, dim } = colors
  return [
    '',
    `  ${bold(report.address)}`,
    `  ${dim(runWords(report))}`,
    ...(report.parts.length === 0 ? [] : ['', `  ${bold('The caller will show')}`]),
    ...report.parts.map((part) => partLine(part, colors)),
    '',
    ...report.groups.flatMap((group) => groupLines(group, widthOf(report.groups), colors)),
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

/** One line where nothing was found: then the groups are a table. */
function groupLines({ title, counts, results }: ReportGroup, width: number, colors: Colors): string[] {
  const linesOf = (outcome: 'failed' | 'warning') => {
    const found = results.filter((result) => result.outcome === outcome)
    return tally(found.map(reasonOf)).flatMap(([reason]) => {
      const same = found.filter((result) => reasonOf(result) === reason)
      return findingLines(same, outcome, colors)
    })
  }
  const findings = [...linesOf('failed'), ...linesOf('warning')]
  const reasons = tally(results.flatMap(({ reason }) => reason ?? []))
  return [
    `  ${groupMark(counts, colors)} ${colors.bold(title.padEnd(width))}${colors.dim(countWords(counts).join(' · '))}`,
    ...findings,
    ...(findings.length > 0 && reasons.length > 0 ? [''] : []),
    ...reasons.map(([reason, count]) => colors.dim(`      ${count} skipped: ${reason}`)),
    ...(findings.length > 0 ? [''] : []),
  ]
}

function groupMark({ failed, warnings, passed }: Counts, { red, yellow, green, dim }: Colors): string {
  if (failed > 0) return red('✗')
  if (warnings > 0) return yellow('!')
  return passed > 0 ? green('✓') : dim('-')
}

/** What two findings have in common that need not be shown twice: the requirement, or that nothing came back at all. */
function reasonOf({ finding }: ReportResult): string {
  if (finding === null) return ''
  return finding.curl !== null && finding.answer === null ? finding.received : finding.requirement
}

/** The first ones in full; the others, which are about the same, by their ids. */
function findingLines(results: readonly ReportResult[], outcome: 'failed' | 'warning', colors: Colors): string[] {
  const most = mostInFull[outcome]
  const others = results.slice(most).map(({ id }) => id)
  const lines = results.slice(0, most).flatMap(({ id, title, finding }) => {
    if (finding === null) return []
    const mark = outcome === 'failed' ? colors.red('✗') : colors.yellow('!')
    return ['', `    ${mark} ${colors.bold(id)}`, `      ${title}`, ...rowsOf(finding, colors)]
  })
  if (others.length === 0) return lines
  return [...lines, '', colors.dim(`      the same in ${others.length} more: ${others.join(', ')}`)]
}

function rowsOf(finding: Finding, { dim }: Colors): string[] {
  const calls = ledTo(finding.before).map((call, index) => [index === 0 ? 'after' : '', oneLine(call, longestBefore)])
  // The call is for a shell, so it stays whole.
  const told = findingRows(finding).map(({ name, value }) => [name, name === 'call' ? value : oneLine(value)])
  return [...calls, ...told].map(([name = '', value = '']) => `      ${dim(name.padEnd(10))} ${value}`)
}

/** The last calls that were carried out: a refused one has seldom led to anything. */
function ledTo(before: readonly string[]): readonly string[] {
  return before.filter((call) => / → 2\d\d /.test(call)).slice(-mostBefore)
}

/** What a shop answers must not steer the terminal. */
function oneLine(text: string, longest = longestValue): string {
  const line = text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, '\ufffd')
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}

function verdictLines({ verdict, counts, sentences }: Report, colors: Colors): string[] {
  const hint =
    counts.failed + counts.warnings > 0 ? [`  ${colors.dim(`The curl lines take the key from $${keyVariable}.`)}`] : []
  const word = verdict === null ? [] : [colors.bold(colors[verdictColors[verdict]](verdict))]
  return [
    `  ${[...word, countWords(counts).join(', ')].join('  ')}`,
    ...sentences.map((sentence) => `  ${oneLine(sentence)}`),
    ...hint,
  ]
}

const verdictColors = {
  READY: 'green',
  'READY, read-only': 'green',
  'NOT READY': 'red',
  INCOMPLETE: 'yellow',
  'NOT CHECKED': 'yellow',
} as const satisfies Record<Verdict, keyof Colors>
