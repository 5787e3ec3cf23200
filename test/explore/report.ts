import type { Case } from './cases.ts'
import { explore } from './explore.ts'
import { excuses } from './oracle.ts'
import { loadProtocol } from './protocol.ts'

/** Explores cases, and prints a table with totals and a schedule for each used excuse. Returns the problems. */
export async function exploreAll(cases: readonly Case[], needsExcuses = false): Promise<readonly string[]> {
  const protocol = await loadProtocol()
  const lines: string[] = []
  const problems: string[] = []
  const used = new Map<string, string>()
  const started = performance.now()
  let [allStates, allSchedules] = [0, 0]
  for (const each of cases) {
    const { name, states, schedules, isCut, failure, excuses: accepted } = explore(protocol, each)
    allStates += states
    allSchedules += schedules
    const figures = `${String(states).padStart(8)} states, ${String(schedules).padStart(8)} schedules`
    lines.push(
      `${name.padEnd(64)}${figures}, at most ${each.faults} faults${accepted.size > 0 ? `, ${accepted.size} accepted` : ''}`,
    )
    for (const [excuse, log] of accepted) if (!used.has(excuse)) used.set(excuse, log)
    if (failure !== undefined) problems.push(`${name}: ${failure}`)
    else if (isCut) problems.push(`${name}: has too many states`)
    // Lets the test runner answer.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  lines.push(`${cases.length} cases, ${allStates} states, ${allSchedules} schedules, ${seconds} s`)
  for (const [excuse, log] of used) lines.push(`accepted: ${excuse}\n  ${log}`)
  for (const { name } of needsExcuses ? excuses : [])
    if (!used.has(name)) problems.push(`No schedule needs this excuse: ${name}`)
  console.log(lines.join('\n'))
  return problems
}
