import { dayMs, hourMs, leaseMs, type Plan } from './case.ts'
import type { Request } from './history.ts'
import type { Schedule } from './schedule.ts'

/**
 * Without further faults, every click ends within a day, and then a repeat at once has no effect, and one after the window has.
 */
export async function endSchedule(schedule: Schedule): Promise<void> {
  const { world, oracle, progress } = schedule
  const { explored, going, used } = progress
  for (const { name, pausedUntil, isAlive } of world.processes)
    if (isAlive && pausedUntil !== undefined) await schedule.take(`resume ${name}`)
  await runOn(schedule)
  const startedAt = world.now
  for (const request of explored.store === 'unsure' ? [] : oracle.openClicks()) {
    const { plan } = schedule.find(request.name)
    for (let turn = 1; ; turn++) {
      const again = await sendAgain(schedule, plan, `${plan.name}+${turn}`)
      if (oracle.isEnded(again)) break
      if (world.now > startedAt + dayMs + leaseMs) return oracle.fail(`${plan.name} does not end within a day`)
      world.now += turn < 3 ? leaseMs : turn < 5 ? hourMs : dayMs - 2 * leaseMs - 2 * hourMs
    }
  }
  // A request may meet another change that has not ended.
  const overlaps = new Set(going.map(({ request }) => request.click)).size > 1
  const isQuiet = used.every((fault) => fault === 'repeated write')
  for (const { code, name } of isQuiet ? oracle.responses() : [])
    if (code === 'store_unavailable' && !overlaps) oracle.fail(`${name} gets 503, and nothing has failed`)
  const clicks = new Map(going.map(({ request, plan }) => [request.click, plan]))
  for (const plan of clicks.values()) {
    const again = await sendAgain(schedule, plan, `${plan.name}+again`)
    if (isQuiet && !oracle.isEnded(again)) oracle.fail(`${again.name} fails, and nothing has failed`)
    world.now += again.windowMs
    await sendAgain(schedule, plan, `${plan.name}+later`)
  }
}

/** Sends a request again, in a new process. */
async function sendAgain(schedule: Schedule, plan: Plan, name: string): Promise<Request> {
  const { request } = schedule.add({ ...plan, name, process: 'later', after: [] })
  await schedule.take(`arrive ${name}`)
  await runOn(schedule)
  return request
}

/** Takes the only way without faults until all is quiet. */
async function runOn(schedule: Schedule): Promise<void> {
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
  schedule.oracle.fail('nothing comes to an end')
}
