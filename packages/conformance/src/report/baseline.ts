import { checks } from '../run/topics.ts'
import type { BaselineResult, ReportResult } from './report.ts'

/** Known failures of a shop: the reason for each, by requirement id. */
export type Baseline = Readonly<Record<string, string>>

/** Compares a run with the known failures. A requirement holds if a check that cites it passed and none fails. */
export function compareWithBaseline(failures: Baseline, results: readonly ReportResult[]): BaselineResult {
  const idsOf = (wanted: readonly ReportResult[]) => wanted.flatMap(({ finding }) => finding?.requirement ?? [])
  const passed = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
  const tested = new Set<string>(checks.filter(({ id }) => passed.has(id)).flatMap(({ requirements }) => requirements))
  const found = new Set(idsOf(results))
  const failed = new Set(idsOf(results.filter(({ outcome }) => outcome === 'failed')))
  const listed = Object.keys(failures)
  return {
    known: listed.filter((id) => found.has(id)),
    added: [...failed].filter((id) => !Object.hasOwn(failures, id)),
    fixed: listed.filter((id) => tested.has(id) && !found.has(id)),
  }
}

/** Describes the comparison with a baseline: its error and the next step, or the number of known failures. */
export function describeBaseline({ known, added, fixed }: BaselineResult): readonly string[] {
  return [
    ...(fixed.length > 0 ? [`The baseline lists requirements that hold now. Remove ${fixed.join(', ')} from it.`] : []),
    ...(added.length > 0 ? [`Failures that the baseline does not list: ${added.join(', ')}.`] : []),
    ...(known.length > 0 ? [`Known failures of the baseline: ${known.join(', ')}.`] : []),
  ]
}
