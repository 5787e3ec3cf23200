import { findingRows } from './finding.ts'
import type { Report, ReportGroup, ReportResult } from './report.ts'

/** Formats a report as JUnit XML. Warnings are written to `system-out`, not as failures. */
export function toJunit(report: Report): string {
  const { counts, problem } = report
  const all = counts.passed + counts.failed + counts.warnings + counts.skipped
  const errors = problem === null ? 0 : 1
  const tests = `tests="${all + errors}" failures="${counts.failed}" errors="${errors}" skipped="${counts.skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(report.address)}" ${tests} time="${inSeconds(report.durationMs)}">`,
    ...verdictLines(report),
    ...(problem === null ? [] : problemLines(problem)),
    ...report.groups.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Returns the verdict as properties, since JUnit has no element for a verdict. */
function verdictLines({ verdict, sentences }: Report): string[] {
  const all = [['verdict', verdict ?? ''], ...sentences.map((sentence) => ['sentence', sentence])]
  const lines = all.map(([name = '', value = '']) => `    <property name="${name}" value="${escapeXml(value)}"/>`)
  return ['  <properties>', ...lines, '  </properties>']
}

function problemLines(problem: string): string[] {
  return [
    '  <testsuite name="The run" tests="1" failures="0" errors="1" skipped="0" time="0">',
    '    <testcase classname="run" name="The run completes." time="0">',
    `      <error message="${escapeXml(problem)}"/>`,
    '    </testcase>',
    '  </testsuite>',
  ]
}

function suiteLines({ name, title, counts, results }: ReportGroup): string[] {
  const time = inSeconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const numbers = `tests="${results.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}"`
  return [
    `  <testsuite name="${escapeXml(title)}" ${numbers} time="${time}">`,
    ...results.flatMap((result) => caseLines(result, name)),
    '  </testsuite>',
  ]
}

function caseLines(result: ReportResult, group: string): string[] {
  const { id, title, durationMs } = result
  const open = `    <testcase classname="${group}" name="${escapeXml(`${id}: ${title}`)}" time="${inSeconds(durationMs)}"`
  const inner = innerLines(result)
  return inner.length === 0 ? [`${open}/>`] : [`${open}>`, ...inner.map((line) => `      ${line}`), '    </testcase>']
}

function innerLines({ outcome, reason, finding }: ReportResult): string[] {
  if (outcome === 'skipped') return [`<skipped message="${escapeXml(reason ?? '')}"/>`]
  if (finding === null) return []
  const { requirement, level, expected } = finding
  const text = findingRows(finding)
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n')
  if (outcome === 'warning') return [`<system-out>${escapeXml(`warning\n${text}`)}</system-out>`]
  const message = `${requirement}: expected ${expected}`
  return [`<failure type="${level}" message="${escapeXml(message)}">${escapeXml(text)}</failure>`]
}

function inSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

/** Escapes a string for XML. Replaces control characters and lone surrogates, which XML cannot represent. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  )
}
