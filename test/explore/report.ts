import type { Case } from './case.ts'
import { loadCore, type Core, type Edit } from './core.ts'
import { explore, type Explored } from './explore.ts'

export const limit = 400_000

/** Explores cases and prints a table with totals. Returns the problems, with the trace of each failure. */
export async function exploreAll(cases: readonly Case[], edits: readonly Edit[] = []): Promise<readonly string[]> {
  const core: Core = await loadCore(edits)
  const problems: string[] = []
  const lines: string[] = []
  const startedAt = performance.now()
  let schedules = 0
  for (const each of cases) {
    if (each.faults.length === 0) problems.push(`${each.name}: has no fault`)
    const explored = await explore(core, each, limit)
    schedules += explored.schedules
    lines.push(describe(each, explored))
    if (explored.isCut) problems.push(`${each.name}: has more than ${limit} schedules`)
    const { failure } = explored
    if (failure !== undefined) problems.push([`${each.name}: ${failure.message}`, ...failure.trace].join('\n'))
  }
  const seconds = (performance.now() - startedAt) / 1000
  lines.push(`${cases.length} cases, ${schedules} schedules in ${seconds.toFixed(1)} s`)
  console.log(lines.join('\n'))
  return problems
}

function describe({ name, faults, maxFaults = 1 }: Case, { schedules, states, exceptions }: Explored): string {
  const counted = [...exceptions].map(([exception, count]) => `; documented: ${exception} ${count}`).join('')
  return `${name.padEnd(72)}${String(schedules).padStart(8)} schedules, ${String(states).padStart(7)} states, ${maxFaults} of: ${faults.join(', ')}${counted}`
}
