import type { Case, Plan } from './case.ts'
import type { Request } from './history.ts'
import type { Actor, Fault, Variant, World } from './world.ts'

/** One choice of a schedule, as text. */
export type Choice = string

/** A request on its way. */
export interface Going extends Actor {
  readonly plan: Plan
  readonly request: Request
  state: 'planned' | 'running' | 'over'
}

/** How far a schedule has come. */
export interface Progress {
  readonly explored: Case
  readonly world: World
  readonly going: Going[]
  /** Times around which a request may arrive. */
  readonly ends: number[]
  readonly used: Fault[]
  rejections: number
}

/** All that may happen next. */
export function findChoices(progress: Progress): readonly Choice[] {
  const { explored, world, going, used } = progress
  const { steps, processes, timers } = world
  const choices: Choice[] = []
  const canFail = used.length < (explored.most ?? 1)
  // A ledger that is emptied twice during one attempt cannot tell.
  const possible = explored.faults.filter((fault) => fault !== 'emptied ledger' || !used.includes(fault))
  const faults = canFail ? possible : []
  let isBusy = false
  for (const step of steps) {
    const isLate = step.lateUntil !== undefined
    if (step.actor.process.pausedUntil !== undefined && !isLate) continue
    choices.push(`step ${step.id}`)
    if (isLate) continue
    isBusy = true
    for (const variant of step.variants)
      if (variant === 'rejection' ? progress.rejections < (explored.rejections ?? 0) : isOneOf(faults, variant))
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
    const isAtWork =
      steps.some(({ actor }) => actor.process === process) || timers.some(({ actor }) => actor.process === process)
    if (isAtWork && faults.includes('crash')) choices.push(`crash ${process.name}`)
    if (isAtWork && faults.includes('pause')) choices.push(`pause ${process.name}`)
  }
  const arriving = new Set<string>()
  for (const { plan, state } of going) {
    if (state !== 'planned') continue
    const twin = JSON.stringify({ ...plan, name: '' })
    const isDue = (plan.after ?? []).every((name) => going.some((each) => each.name === name && each.state === 'over'))
    // Identical requests are interchangeable: they arrive in order.
    if (isDue && !arriving.has(twin)) choices.push(`arrive ${plan.name}`)
    arriving.add(twin)
  }
  if (going.some(({ state }) => state !== 'planned') && choices.length > 0)
    for (const fault of faults)
      if (fault === 'clock back' || fault === 'clock forward' || fault === 'emptied ledger' || fault === 'partial loss')
        choices.push(fault)
  if (!isBusy && findNextTime(progress) !== undefined) choices.push('wait')
  return choices
}

/** The time of the next timer, or of an end around which a request may arrive. */
export function findNextTime({ world, going, ends }: Progress): number | undefined {
  const { now, steps, processes } = world
  const held = [...steps.map(({ lateUntil }) => lateUntil), ...processes.map(({ pausedUntil }) => pausedUntil)].filter(
    (until) => until !== undefined,
  )
  if (held.some((until) => until <= now)) return undefined
  let next = world.nextTimer()?.at
  if (held.length > 0 || going.some(({ state }) => state === 'planned'))
    for (const end of [...ends, ...held]) if (end > now && end < (next ?? Infinity)) next = end
  return next
}

function isOneOf(faults: readonly Fault[], variant: Variant): boolean {
  return faults.some((each) => each === variant)
}
