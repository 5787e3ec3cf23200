import type { Case } from './cases.ts'
import { createSteps, isStuck } from './steps.ts'
import type { Protocol } from './protocol.ts'
import type { World } from './world.ts'

/**
 * Explores every schedule of a case until a schedule fails. Runs each event on a copy of the world. A schedule is a way
 * from the start to an end or to an explored state. `excuses` has the first schedule of each accepted second effect.
 */
export function explore(protocol: Protocol, explored: Case, maxStates = 1_000_000) {
  const steps = createSteps(protocol, explored)
  const { clockSteps = 0 } = explored
  const seen = new Set<string>()
  const excuses = new Map<string, string>()
  let schedules = 0
  let failure: string | undefined
  let isCut = false

  function visit(world: World, faults: number, log: readonly string[]): void {
    if (failure !== undefined || isCut) return
    for (const excuse of world.excuses) if (!excuses.has(excuse)) excuses.set(excuse, log.join('; '))
    if (world.failure !== undefined) {
      failure = `${world.failure}\n  ${log.join('; ')}`
      return
    }
    const state = JSON.stringify([world, faults])
    if (seen.has(state)) {
      schedules += 1
      return
    }
    seen.add(state)
    if (seen.size > maxStates) {
      isCut = true
      return
    }
    let isEnd = true
    for (const step of steps(world)) {
      if (step.faults > faults) continue
      isEnd = false
      const next = structuredClone(world)
      step.run(next)
      visit(next, faults - step.faults, [...log, step.name])
    }
    if (!isEnd) return
    schedules += 1
    if (isStuck(world)) failure = `a request never ends\n  ${log.join('; ')}`
    const hasFault = faults < explored.faults || world.clockStepsLeft < clockSteps || world.emptied !== undefined
    const refused =
      hasFault || world.lapses > 0 ? undefined : world.requests.find(({ code }) => code === '502' || code === '503')
    if (refused !== undefined) failure ??= `${refused.id} fails without a fault\n  ${log.join('; ')}`
  }

  visit(startOf(explored), explored.faults, [])
  return { name: explored.name, states: seen.size, schedules, isCut, excuses, failure }
}

function startOf({ requests, jumpCount = 0, clockSteps = 0 }: Case): World {
  const fresh = { point: 'new', tries: 1, epoch: 0, claimed: 0, key: '' } as const
  const times = { arrivedAt: 0, arrived: 0, responded: 0, respondedAt: 0 }
  return {
    ...{ now: 1_000_000_000_000, skew: 0, written: 0, jumped: 0 },
    ...{ order: 0, versions: 0, epoch: 0, lapses: 0, jumpsLeft: jumpCount, clockStepsLeft: clockSteps },
    ...{ documents: {}, effects: [], rows: [], fenced: [], excuses: [] },
    requests: requests.map((plan) => ({ ...plan, ...fresh, ...times })),
  }
}
