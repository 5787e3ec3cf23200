import type { Case } from './case.ts'
import { findChoices } from './choices.ts'
import type { Core } from './core.ts'
import type { Fault } from './world.ts'
import { finishSchedule } from './end-schedule.ts'
import { Schedule } from './schedule.ts'

export interface Explored {
  readonly name: string
  /** Number of schedules that ran to their end or to an explored state. */
  readonly schedules: number
  readonly states: number
  /** Number of schedules in which each fault occurred. */
  readonly faults: ReadonlyMap<Fault, number>
  /** Number of schedules in which each documented exception occurred, by name of the exception. */
  readonly exceptions: ReadonlyMap<string, number>
  /** Whether the exploration stopped at the limit, before it explored every schedule. */
  readonly isCut: boolean
  readonly failure: { readonly message: string; readonly trace: readonly string[] } | undefined
}

/** A state on the path to the current state, with its choices. */
interface Fork {
  readonly choices: readonly string[]
  at: number
  /**
   * Sleeping choices. They lead only to explored states, because they commute with a choice that was explored before.
   */
  readonly asleep: ReadonlySet<string>
}

/** Explores every schedule of a case. Runs each schedule from the start until it ends or reaches an explored state. */
export async function explore(core: Core, explored: Case, limit = 1_000_000): Promise<Explored> {
  const { stackTraceLimit } = Error
  // Errors are frequent here, and capturing their stack traces is slow.
  Error.stackTraceLimit = 0
  const known = new Map<number, ReadonlySet<string>>()
  const exceptions = new Map<string, number>()
  const faults = new Map<Fault, number>()
  const forks: Fork[] = []
  let schedules = 0
  let failure: Explored['failure']
  do {
    schedules += 1
    // Yields to the test runner.
    if (schedules % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    const schedule = new Schedule(core, explored, false)
    const isComplete = await run(schedule, forks, known)
    if (isComplete) await finishSchedule(schedule)
    count(exceptions, schedule.oracle.exceptions)
    count(faults, new Set(schedule.progress.used))
    const { failure: message } = schedule.oracle
    if (message !== undefined) failure = { message, trace: await trace(core, explored, forks, isComplete) }
  } while (failure === undefined && schedules < limit && advance(forks))
  Error.stackTraceLimit = stackTraceLimit
  const isCut = failure === undefined && forks.length > 0
  return { name: explored.name, schedules, states: known.size, faults, exceptions, isCut, failure }
}

function count<Name>(counts: Map<Name, number>, names: ReadonlySet<Name>): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
}

/**
 * Runs the current choice of each fork, and then the first choice in each new state. Returns true if the schedule ends,
 * and false if it reaches an explored state or fails.
 */
async function run(schedule: Schedule, forks: Fork[], known: Map<number, ReadonlySet<string>>): Promise<boolean> {
  let asleep: ReadonlySet<string> = new Set()
  for (const [index, fork] of forks.entries()) asleep = await take(schedule, fork, index === forks.length - 1)
  while (schedule.oracle.failure === undefined) {
    const all = findChoices(schedule.progress)
    if (all.length === 0) return true
    let choices = all.filter((choice) => !asleep.has(choice))
    if (all.length > 1) {
      const state = schedule.digest()
      const before = known.get(state)
      if (before !== undefined) {
        // Only choices that were asleep at every earlier visit to this state are still unexplored.
        choices = choices.filter((choice) => before.has(choice))
        known.set(state, new Set([...before].filter((choice) => asleep.has(choice))))
      } else known.set(state, asleep)
    }
    if (choices.length === 0) return false
    const fork = { choices, at: 0, asleep }
    forks.push(fork)
    asleep = await take(schedule, fork, true)
  }
  return false
}

/** Runs the current choice of a fork, and returns the choices that are asleep in the new state. */
async function take(schedule: Schedule, { choices, at, asleep }: Fork, isLast: boolean): Promise<ReadonlySet<string>> {
  const choice = choices[at] ?? ''
  const still = new Set<string>()
  if (isLast)
    for (const other of [...asleep, ...choices.slice(0, at)])
      if (schedule.areIndependent(choice, other)) still.add(other)
  await schedule.take(choice)
  return still
}

/** Moves the last fork that has more choices to its next choice. Returns false if no fork has more choices. */
function advance(forks: Fork[]): boolean {
  for (let last = forks.at(-1); last !== undefined; last = forks.at(-1)) {
    last.at += 1
    if (last.at < last.choices.length) return true
    forks.pop()
  }
  return false
}

async function trace(
  core: Core,
  explored: Case,
  forks: readonly Fork[],
  isComplete: boolean,
): Promise<readonly string[]> {
  const schedule = new Schedule(core, explored, true)
  for (const { choices, at } of forks) await schedule.take(choices[at] ?? '')
  if (isComplete) await finishSchedule(schedule)
  return schedule.world.lines ?? []
}
