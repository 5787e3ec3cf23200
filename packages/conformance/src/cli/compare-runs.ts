import { statesOf } from '../report/baseline.ts'
import { type ExitCode, exitCodes } from '../report/create-report.ts'
import type { Report } from '../report/report.ts'
import type { SavedReport } from './read-files.ts'

/** Result of `verify`. */
interface Comparison {
  /** One line for each difference, and the result. */
  readonly lines: readonly string[]
  /** 0 if the results are equal, 1 if they differ, 2 if the run failed, 3 if it did not test all requirements again. */
  readonly code: ExitCode
}

/** Compares a repeated run with a saved report, by the state of each requirement that the report tested. */
export function compareRuns(saved: SavedReport, report: Report): Comparison {
  if (report.problem !== null)
    return { lines: ['NOT VERIFIED: the run is not complete.'], code: exitCodes['NOT CHECKED'] }
  const before = statesOf(saved.groups.flatMap(({ results }) => results))
  const now = statesOf(report.groups.flatMap(({ results }) => results))
  const changed = [...before.keys(), ...now.keys()].filter((id, at, all) => all.indexOf(id) === at && hasChanged(id))
  const untested = [...before.keys()].filter((id) => !now.has(id))

  function hasChanged(id: string): boolean {
    const state = now.get(id)
    return state !== undefined && state !== before.get(id) && (state === 'fails' || before.has(id))
  }

  const lines = [
    ...(saved.kit === report.kit ? [] : [`The report is from ${saved.kit}, this run from ${report.kit}.`]),
    ...changed.map((id) => `${id} ${before.get(id) ?? 'was not tested'} in the report, and ${now.get(id)} now.`),
  ]
  if (changed.length > 0) return { lines: [...lines, 'DIFFERENT: the run does not confirm the report.'], code: 1 }
  if (untested.length === 0)
    return { lines: [...lines, `VERIFIED: the run confirms ${saved.verdict ?? 'the report'}.`], code: 0 }
  const reason = `requirements not tested again: ${untested.join(', ')}. Reset the test data, then run it again.`
  return { lines: [...lines, `NOT VERIFIED: ${reason}`], code: exitCodes.INCOMPLETE }
}
