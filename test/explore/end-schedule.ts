import { dayMs, hourMs, leaseMs, type Plan } from './case.ts'
import type { Schedule } from './schedule.ts'
import type { Request } from './world.ts'

/**
 * Runs a schedule to its end without further faults. Asserts that every click has a final outcome within a day. An
 * immediate repeat must have no effect, and a repeat after the window must have an effect.
 */
export async function finishSchedule(schedule: Schedule): Promise<void> {
  const { world, oracle, progress } = schedule
  const { explored, scheduled, used } = progress
  schedule.storage.setVersion(1)
  for (const { name, pausedUntil, isAlive } of world.processes)
    if (isAlive && pausedUntil !== undefined) await schedule.take(`resume ${name}`)
  await runToEnd(schedule)
  const startedAt = world.now
  for (const request of explored.store === 'unsure' ? [] : oracle.openClicks()) {
    const { plan } = schedule.find(request.name)
    for (let turn = 1; ; turn++) {
      const repeat = await sendRepeat(schedule, plan, `${plan.name}+${turn}`)
      if (oracle.isEnded(repeat)) break
      if (world.now > startedAt + dayMs + leaseMs) return oracle.fail(`${plan.name} does not end within a day`)
      world.now += turn < 3 ? leaseMs : turn < 5 ? hourMs : dayMs - 2 * leaseMs - 2 * hourMs
    }
  }
  // With several clicks, a request can receive 503 because a different change is pending.
  const overlaps = new Set(scheduled.map(({ request }) => request.click)).size > 1
  const isQuiet = used.every((fault) => fault === 'repeated write')
  for (const { code, name } of isQuiet ? oracle.responses() : [])
    if (code === 'store_unavailable' && !overlaps) oracle.fail(`${name} receives 503 without a failure`)
  const clicks = new Map(scheduled.map(({ request, plan }) => [request.click, plan]))
  for (const plan of clicks.values()) {
    const repeat = await sendRepeat(schedule, plan, `${plan.name}+again`)
    if (isQuiet && !oracle.isEnded(repeat)) oracle.fail(`${repeat.name} fails without a fault`)
    world.now += repeat.windowMs
    await sendRepeat(schedule, plan, `${plan.name}+later`)
  }
}

/** Repeats a request in a new process. */
async function sendRepeat(schedule: Schedule, plan: Plan, name: string): Promise<Request> {
  const { request } = schedule.add({ ...plan, name, process: 'later', after: [] })
  await schedule.take(`arrive ${name}`)
  await runToEnd(schedule)
  return request
}

/** Runs all steps and timers, without faults. */
async function runToEnd(schedule: Schedule): Promise<void> {
  for (let made = 0; made < 5000; made++) {
    const { steps } = schedule.world
    const next = steps.find(({ lateUntil }) => lateUntil === undefined) ?? steps[0]
    if (next !== undefined) await schedule.take(`step ${next.id}`)
    else {
      const timer = schedule.world.nextTimer()
      if (timer === undefined) return
      schedule.world.now = Math.max(schedule.world.now, timer.at)
      await schedule.take(`timer ${timer.actor.process.name}`)
    }
  }
  schedule.oracle.fail('the schedule does not end')
}
