import { escapeUnsafe } from '../http/escape.ts'
import { findingRows } from './finding.ts'
import type { Report, ReportGroup, ReportResult } from './report.ts'

/** Formats a report as JUnit XML. Warnings are written to `system-out`, not as failures. */
export function toJunit({ counts, problem, verdict, sentences, address, durationMs, groups }: Report): string {
  const all = counts.passed + counts.failed + counts.warnings + counts.skipped
  const errors = problem === null ? 0 : 1
  // Writes the verdict as a property, since JUnit has no element for a verdict.
  const properties = [['verdict', verdict ?? ''] as const, ...sentences.map((text) => ['sentence', text] as const)]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${x(address)}" tests="${all + errors}" failures="${counts.failed}" errors="${errors}" skipped="${counts.skipped}" time="${seconds(durationMs)}">`,
    '  <properties>',
    ...properties.map(([name, value]) => `    <property name="${name}" value="${x(value)}"/>`),
    '  </properties>',
    ...(problem === null
      ? []
      : [
          '  <testsuite name="The run" tests="1" failures="0" errors="1" skipped="0" time="0">',
          `    <testcase classname="run" name="The run completes." time="0"><error message="${x(problem)}"/></testcase>`,
          '  </testsuite>',
        ]),
    ...groups.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteLines({ name, title, counts, results }: ReportGroup): string[] {
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0))
  return [
    `  <testsuite name="${x(title)}" tests="${results.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}" time="${time}">`,
    ...results.map((result) => {
      const attributes = `classname="${name}" name="${x(`${result.id}: ${result.title}`)}" time="${seconds(result.durationMs)}"`
      return `    <testcase ${attributes}>${contentOf(result)}</testcase>`
    }),
    '  </testsuite>',
  ]
}

function contentOf({ outcome, reason, finding }: ReportResult): string {
  if (outcome === 'skipped') return `<skipped message="${x(reason ?? '')}"/>`
  if (finding === null) return ''
  const { requirement, level, expected } = finding
  const text = findingRows(finding).map(({ name, value }) => `${name}: ${value}`)
  if (outcome === 'warning') return `<system-out>${x(['warning', ...text].join('\n'))}</system-out>`
  return `<failure type="${level}" message="${x(`${requirement}: expected ${expected}`)}">${x(text.join('\n'))}</failure>`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes a string for XML. */
function x(text: string): string {
  return escapeUnsafe(text).replace(/[&<>"\n]/g, (letter) => entities[letter] ?? letter)
}
