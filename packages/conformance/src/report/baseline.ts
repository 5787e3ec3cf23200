import { checks } from '../run/topics.ts'
import type { BaselineResult, ReportResult } from './report.ts'

/** Known failures of a shop: the reason for each, by requirement id. */
export type Baseline = Readonly<Record<string, string>>

/** Returns the state of each tested requirement. A requirement holds if a check that cites it passed and none fails. */
function statesOf(results: readonly ReportResult[]): ReadonlyMap<string, 'fails' | 'holds'> {
  const passed = new Set(results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id))
  const held = checks.filter(({ id }) => passed.has(id)).flatMap(({ requirements }) => requirements)
  const failed = results.flatMap(({ finding }) => finding?.requirement ?? [])
  return new Map([...held.map((id) => [id, 'holds'] as const), ...failed.map((id) => [id, 'fails'] as const)])
}

/** Compares the results of a run with the known failures. */
export function compareWithBaseline(failures: Baseline, results: readonly ReportResult[]): BaselineResult {
  const states = statesOf(results)
  const listed = Object.keys(failures)
  const failed = results.flatMap(({ outcome, finding }) =>
    outcome === 'failed' && finding !== null ? finding.requirement : [],
  )
  return {
    known: listed.filter((id) => states.get(id) === 'fails'),
    added: [...new Set(failed)].filter((id) => !Object.hasOwn(failures, id)),
    fixed: listed.filter((id) => states.get(id) === 'holds'),
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
