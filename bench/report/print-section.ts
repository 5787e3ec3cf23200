import type { Section } from './section.ts'

/** Prints a section on the terminal. */
export function printSection({ title, method, columns, rows, findings }: Section): void {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
  console.log(`${title}\n${method}\n`)
  for (const row of [columns, ...rows]) console.log(`  ${line(row)}`)
  console.log('')
  for (const { what, reach, measured, verdict } of findings)
    console.log(`  ${verdict}: ${what}: ${measured} (${reach})`)
  console.log('')
}
