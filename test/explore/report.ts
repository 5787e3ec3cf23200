import type { Case } from './case.ts'
import { loadCore } from './core.ts'
import { explore } from './explore.ts'

/** Maximum schedules of a case. */
export const limit = 400_000

/** Explores cases and prints a table with totals. Returns the problems, with the trace of each failure. */
export async function exploreAll(cases: readonly Case[], maxSchedules = limit): Promise<readonly string[]> {
  const core = await loadCore()
  const problems: string[] = []
  const lines: string[] = []
  const startedAt = performance.now()
  let total = 0
  for (const each of cases) {
    const { name, edits } = each
    const explored = await explore(edits === undefined ? core : await loadCore(edits), each, maxSchedules)
    const { schedules, states, faults, exceptions, isCut, failure } = explored
    total += schedules
    const counts = [...faults].map(([fault, count]) => `${fault} ${count}`).join(', ')
    const documented = [...exceptions].map(([exception, count]) => `; documented: ${exception} ${count}`).join('')
    const figures = `${String(schedules).padStart(8)} schedules, ${String(states).padStart(7)} states`
    lines.push(`${name.padEnd(72)}${figures}, at most ${each.maxFaults ?? 1} of: ${counts}${documented}`)
    const absent = each.faults.filter((fault) => !faults.has(fault)).join(', ')
    if (failure !== undefined) problems.push([`${name}: ${failure.message}`, ...failure.trace].join('\n'))
    else if (isCut) problems.push(`${name}: has more than ${maxSchedules} schedules`)
    else if (each.faults.length === 0) problems.push(`${name}: has no fault`)
    else if (absent !== '') problems.push(`${name}: no schedule has the fault ${absent}`)
  }
  const seconds = (performance.now() - startedAt) / 1000
  lines.push(`${cases.length} cases, ${total} schedules in ${seconds.toFixed(1)} s`)
  console.log(lines.join('\n'))
  return problems
}
