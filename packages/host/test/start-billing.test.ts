import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startBilling } from '../src/billing.ts'
import { key, openHost } from './open-host.ts'

const hour = 3_600_000

/** A timer that a test lets run out. */
function createTimer() {
  const waiting: { readonly run: () => void; readonly ms: number }[] = []
  return {
    waiting,
    schedule: (run: () => void, ms: number) => {
      const one = { run, ms }
      waiting.push(one)
      return () => void waiting.splice(waiting.indexOf(one), 1)
    },
    async runOut() {
      await vi.waitUntil(() => waiting.length > 0, { interval: 1 })
      waiting.shift()?.run()
    },
  }
}

/** The job over a store whose steps end in what is given, and then without anything to do. */
function startJob(...steps: readonly (number | Error)[]) {
  const timer = createTimer()
  const log = { info: vi.fn(), error: vi.fn() }
  const left = [...steps]
  const billDue = vi.fn(async () => {
    const billed = left.shift() ?? 0
    if (billed instanceof Error) throw billed
    return { billed, more: left.length > 0 && billed > 0 }
  })
  const job = startBilling({ billDue, log, schedule: timer.schedule })
  onTestFinished(() => job.stop())
  return { ...timer, log, billDue, job }
}

describe('the job that makes orders', () => {
  it('runs at once until nothing is due, in small steps, and again an hour later', async () => {
    const { waiting, runOut, log, billDue } = startJob(20, 20, 3)
    await runOut()
    expect(billDue.mock.calls).toEqual([...Array(4)].map(() => [{ limit: 20 }]))
    expect(log.info.mock.calls).toEqual([[{ orders: 43, ms: expect.any(Number) }, 'billed what was due']])
    await vi.waitUntil(() => waiting.length > 0, { interval: 1 })
    expect(waiting.map(({ ms }) => ms)).toEqual([hour])
    expect(log.info).toHaveBeenCalledTimes(1)
  })

  it('logs a failure without customer data, and tries again an hour later', async () => {
    const { waiting, runOut, log, billDue } = startJob(20, new Error('no row for jane@shop.example'), 1)
    await runOut()
    const [summary, message] = log.error.mock.calls[0] ?? []
    expect(summary).toMatchObject({ error: 'Error: no row for [email]', orders: 20 })
    expect(message).toContain('in an hour')
    await vi.waitUntil(() => waiting.length > 0, { interval: 1 })
    expect(waiting.map(({ ms }) => ms)).toEqual([hour])
    expect(log.info.mock.calls).toMatchObject([[{ orders: 1 }, 'billed what was due']])
    expect(billDue).toHaveBeenCalledTimes(3)
  })

  it('passes customers who cannot be billed, and says how many they are', async () => {
    const timer = createTimer()
    const log = { info: vi.fn(), error: vi.fn() }
    const failures = Array.from({ length: 20 }, () => new RangeError('no date for jane@shop.example'))
    const steps = [
      { billed: 0, more: true, failures },
      { billed: 7, more: false, failures },
    ]
    const billDue = vi.fn(async () => steps.shift() ?? { billed: 0, more: false })
    const job = startBilling({ billDue, log, schedule: timer.schedule })
    await vi.waitUntil(() => timer.waiting.length > 0, { interval: 1 })
    await job.stop()
    expect(billDue.mock.calls).toEqual([[{ limit: 20 }], [{ limit: 40 }]])
    expect(log.error).toHaveBeenCalledOnce()
    const [summary] = log.error.mock.calls[0] ?? []
    expect(summary).toMatchObject({ error: 'RangeError: no date for [email]', failed: 20, orders: 7 })
  })

  it('begins no other step when it is stopped, and waits for the one that runs', async () => {
    const timer = createTimer()
    let finish = () => {}
    const billDue = vi.fn(async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return { billed: 1, more: true }
    })
    const job = startBilling({ billDue, log: { info: vi.fn(), error: vi.fn() }, schedule: timer.schedule })
    let hasStopped = false
    const stopped = job.stop().then(() => (hasStopped = true))
    await new Promise(setImmediate)
    expect(hasStopped).toBe(false)
    finish()
    await stopped
    expect([billDue.mock.calls.length, timer.waiting]).toEqual([1, []])
  })

  it('takes its next run back when it is stopped', async () => {
    const { waiting, job } = startJob()
    await vi.waitUntil(() => waiting.length > 0, { interval: 1 })
    await job.stop()
    expect(waiting).toEqual([])
  })
})

describe('a host', () => {
  const email = 'subscription@example.com'
  const headers = { 'x-integration-api-key': key }

  it('bills as the days pass, of customers who do not call', async () => {
    const { schedule, runOut } = createTimer()
    let today = '2026-03-10'
    const { seeded } = await openHost({}, { schedule, seeded: { today: () => today } })
    today = '2026-03-24'
    await runOut()
    await vi.waitUntil(() => seeded.orders(email).length > 0, { interval: 1 })
    expect(seeded.orders(email)).toMatchObject([{ subscription_id: 'sub_1001', placed_on: '2026-03-24' }])
    expect(seeded.account(email)?.subscriptions).toMatchObject([{ next_billing_date: '2026-04-24' }, {}])
  })

  it.each([
    ['over its own seed', {}, true, 1],
    ["over a merchant's data", {}, false, 0],
    ["over a merchant's data when it is told to", { STOREPORT_BILLING: 'on' }, false, 1],
    ['over its own seed when it is told not to', { STOREPORT_BILLING: 'off' }, true, 0],
  ])('bills %s', async (_what, env, isHostSeed, runs) => {
    const billDue = vi.fn(async () => ({ billed: 0, more: false }))
    await openHost(env, { billDue, isHostSeed })
    expect(billDue).toHaveBeenCalledTimes(runs)
  })

  it('answers calls and ends while there is always more to bill', async () => {
    const billDue = vi.fn(async () => ({ billed: 1, more: true }))
    const { url, close } = await openHost({}, { billDue })
    await vi.waitUntil(() => billDue.mock.calls.length > 3, { interval: 1 })
    const portal = `${url}/integration/customer-portal/subscription?email=${email}`
    expect((await fetch(portal, { headers })).status).toBe(200)
    await close()
    const steps = billDue.mock.calls.length
    await new Promise(setImmediate)
    expect(billDue).toHaveBeenCalledTimes(steps)
  })

  it('ends in its time also when a step hangs', async () => {
    const closeStore = vi.fn(async () => {})
    const { close } = await openHost({}, { billDue: () => new Promise(() => {}), closeStore })
    await close()
    expect(closeStore).toHaveBeenCalled()
  })
})
