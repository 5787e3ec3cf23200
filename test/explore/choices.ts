import type { Case, Plan } from './case.ts'
import type { Actor, Fault, World } from './world.ts'

/** Name of the next event in a schedule, such as `arrive A1` for the arrival of request A1. */
export type Choice = string

export interface ScheduledRequest extends Actor {
  readonly plan: Plan
  state: 'planned' | 'running' | 'over'
}

export interface Progress {
  readonly explored: Case
  readonly world: World
  readonly scheduled: ScheduledRequest[]
  /** Times at which a request can arrive: just before, at and just after the end of each period. */
  readonly ends: number[]
  readonly used: Fault[]
  rejections: number
}

/** Faults of the storage or its clock, which can occur between any two steps. */
const ledgerFaults: ReadonlySet<string> = new Set<Fault>([
  'clock back',
  'clock forward',
  'emptied ledger',
  'partial loss',
  'unsupported version',
])

/** Returns the choices that are possible in the current state. */
export function findChoices(progress: Progress): readonly Choice[] {
  const { explored, world, scheduled, used } = progress
  const { steps, processes, timers } = world
  const choices: Choice[] = []
  const canFail = used.length < (explored.maxFaults ?? 1)
  // The ledger is emptied at most once, because a ledger cannot detect a second loss during one attempt.
  const possible = explored.faults.filter((fault) => fault !== 'emptied ledger' || !used.includes(fault))
  const faults: readonly string[] = canFail ? possible : []
  let isBusy = false
  for (const step of steps) {
    const isLate = step.lateUntil !== undefined
    if (step.actor.process.pausedUntil !== undefined && !isLate) continue
    choices.push(`step ${step.id}`)
    if (isLate) continue
    isBusy = true
    for (const variant of step.variants)
      if (variant === 'rejection' ? progress.rejections < (explored.rejections ?? 0) : faults.includes(variant))
        choices.push(`step ${step.id} ${variant}`)
  }
  for (const process of processes) {
    if (!process.isAlive) continue
    if (process.pausedUntil !== undefined) {
      choices.push(`resume ${process.name}`)
      continue
    }
    const next = world.nextTimer(process)
    if (next !== undefined && next.at <= world.now) {
      isBusy = true
      choices.push(`timer ${process.name}`)
    }
    const isActive =
      steps.some(({ actor }) => actor.process === process) || timers.some(({ actor }) => actor.process === process)
    if (isActive && faults.includes('crash')) choices.push(`crash ${process.name}`)
    if (isActive && faults.includes('pause')) choices.push(`pause ${process.name}`)
  }
  const arriving = new Set<string>()
  for (const { plan, state } of scheduled) {
    if (state !== 'planned') continue
    const twin = JSON.stringify({ ...plan, name: '' })
    const isDue = (plan.after ?? []).every((name) =>
      scheduled.some((each) => each.name === name && each.state === 'over'),
    )
    // Identical requests are interchangeable, so they arrive only in the sequence that the case lists.
    if (isDue && !arriving.has(twin)) choices.push(`arrive ${plan.name}`)
    arriving.add(twin)
  }
  if (scheduled.some(({ state }) => state !== 'planned') && choices.length > 0)
    choices.push(...faults.filter((fault) => ledgerFaults.has(fault)))
  if (!isBusy && findNextTime(progress) !== undefined) choices.push('wait')
  return choices
}

/** Returns the time of the next event: a timer, the end of a period, or the end of a pause. */
export function findNextTime({ world, scheduled, ends }: Progress): number | undefined {
  const { now, steps, processes } = world
  const limits = [
    ...steps.map(({ lateUntil }) => lateUntil),
    ...processes.map(({ pausedUntil }) => pausedUntil),
  ].filter((until) => until !== undefined)
  if (limits.some((until) => until <= now)) return undefined
  let next = world.nextTimer()?.at
  if (limits.length > 0 || scheduled.some(({ state }) => state === 'planned'))
    for (const end of [...ends, ...limits]) if (end > now && end < (next ?? Infinity)) next = end
  return next
}
