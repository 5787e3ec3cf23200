import type { Counts, ReportResult } from './report.ts'

/** Counts how checks came out. */
export function countOf(results: readonly ReportResult[]): Counts {
  const count = (wanted: ReportResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  return { passed: count('passed'), failed: count('failed'), warnings: count('warning'), skipped: count('skipped') }
}
