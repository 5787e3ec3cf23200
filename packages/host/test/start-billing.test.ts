import type { BillDueResult } from '@storeport/rules'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startBilling } from '../src/billing.ts'
import { openHost } from './open-host.ts'

const hour = 3_600_000

/** Waits until the job has started its timer. */
const untilIdle = () => vi.waitUntil(() => vi.getTimerCount() > 0, { interval: 1, timeout: 30_000 })

/** Waits until the job has started its timer, and lets the timer run out, which takes an hour. */
async function passHour() {
  await untilIdle()
  vi.advanceTimersByTime(hour - 60_000)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(60_000)
  expect(vi.getTimerCount()).toBe(0)
}

/** Starts the job. Each batch returns the given result or throws the given error; later batches create 0 orders. */
function startJob(...batches: readonly (number | Error | BillDueResult | Promise<BillDueResult>)[]) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const log = { info: vi.fn(), error: vi.fn() }
  const left = [...batches]
  const billDue = vi.fn(async () => {
    const billed = left.shift() ?? 0
    if (billed instanceof Error) throw billed
    return typeof billed === 'number' ? { billed, more: left.length > 0 && billed > 0 } : billed
  })
  const job = startBilling(billDue, log)
  onTestFinished(() => job.stop())
  return { log, billDue, job }
}

describe('the billing job', () => {
  it('bills all due orders in small batches and runs again an hour later', async () => {
    const { log, billDue } = startJob(20, 20, 3)
    await passHour()
    expect(billDue.mock.calls).toEqual([...Array(4)].map(() => [{ limit: 20 }]))
    expect(log.info.mock.calls).toEqual([[{ orders: 43, ms: expect.any(Number) }, 'created due orders']])
    await untilIdle()
    expect(log.info).toHaveBeenCalledTimes(1)
  })

  it('logs a failure without customer data and retries an hour later', async () => {
    const { log, billDue } = startJob(20, new Error('no row for jane@shop.example'), 1)
    await passHour()
    const [summary, message] = log.error.mock.calls[0] ?? []
    expect(summary).toMatchObject({ error: 'Error: no row for [email]', orders: 20 })
    expect(message).toContain('in one hour')
    await untilIdle()
    expect(log.info.mock.calls).toMatchObject([[{ orders: 1 }, 'created due orders']])
    expect(billDue).toHaveBeenCalledTimes(3)
  })

  it('continues a run after customers who cannot be billed, and logs their number', async () => {
    const failures = [new RangeError('no date for jane@shop.example')]
    const after = { date: '2026-03-10', id: 'customer', failed: ['customer'] }
    const batches = [{ billed: 0, more: true, after, failures } as const, { billed: 7, more: false, failures }]
    const { log, billDue } = startJob(...batches)
    await untilIdle()
    expect(billDue.mock.calls).toEqual([[{ limit: 20 }], [{ limit: 20, after }]])
    expect(log.error).toHaveBeenCalledOnce()
    const [summary] = log.error.mock.calls[0] ?? []
    expect(summary).toMatchObject({ error: 'RangeError: no date for [email]', failed: 2, orders: 7 })
  })

  it('waits for the current batch and starts no further batch when the host stops', async () => {
    let finish = () => {}
    const batch = new Promise<BillDueResult>((resolve) => (finish = () => resolve({ billed: 1, more: true })))
    const { billDue, job } = startJob(batch)
    let hasStopped = false
    const stopped = job.stop().then(() => (hasStopped = true))
    await new Promise(setImmediate)
    expect(hasStopped).toBe(false)
    finish()
    await stopped
    expect([billDue.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0])
  })

  it('cancels the next run when the host stops', async () => {
    const { job } = startJob()
    await untilIdle()
    await job.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the host', () => {
  it.each([
    ['bills seed data by default', {}, true, 1],
    ["does not bill a merchant's data by default", {}, false, 0],
    ["bills a merchant's data if billing is on", { STOREPORT_BILLING: 'on' }, false, 1],
    ['does not bill seed data if billing is off', { STOREPORT_BILLING: 'off' }, true, 0],
  ])('%s', async (_what, env, isHostSeed, runs) => {
    const billDue = vi.fn(async () => ({ billed: 0, more: false }))
    await openHost(env, { store: { billDue }, isHostSeed })
    expect(billDue).toHaveBeenCalledTimes(runs)
  })

  it('closes within its time limit even if a batch hangs', async () => {
    const close = vi.fn(async () => {})
    const host = await openHost({}, { store: { billDue: () => new Promise(() => {}) }, close })
    await host.close()
    expect(close).toHaveBeenCalled()
  })
})
