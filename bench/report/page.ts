import { readFile } from 'node:fs/promises'
import type { Result } from './result.ts'

/** The page of the docs: what was reached, every table, and where the rest goes. */
export async function pageOf(results: readonly Result[]): Promise<string> {
  const [first, ...others] = results
  const findings = results.flatMap((result) => result.findings)
  const notes = await readFile('bench/notes.md', 'utf8')
  return [
    '# Benchmarks',
    'Made by `npm run bench -- --full --write`; the text comes from `bench/notes.md`. Every figure is a ratio against ' +
      'something that was measured in turns with it, since machines differ and are never quiet; a control measures the ' +
      'same thing twice. What lies within the interval of a figure, or is less than two controls differ by, is *not resolved*.',
    ...(first === undefined ? [] : sectionOf(first)),
    '![Speed against the same work by hand](benchmarks.svg)',
    '## What was to be reached',
    table(
      ['what', 'reach', 'measured', ''],
      findings.map(({ what, reach, measured, verdict }) => [what, reach, measured, verdict]),
    ),
    notes.trim(),
    ...others.flatMap(sectionOf),
  ]
    .join('\n\n')
    .concat('\n')
}

function sectionOf({ title, method, columns, rows, machine, versions, date, full }: Result): string[] {
  return [
    `## ${title}`,
    method,
    table(columns, rows),
    `Measured on ${date}, ${full ? 'full run' : 'quick run'}: ${machine}. ${versions}.`,
  ]
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')
}
