import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { findFreePort } from '@storeport/testing/find-free-port'
import { key, send } from '@storeport/testing/send'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

async function startHost(stdout: number) {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const env = {
    PORT: String(port),
    STOREPORT_DATA: await dataFolder(),
    STOREPORT_STORE: 'memory',
    STOREPORT_API_KEYS: key,
    STOREPORT_METRICS: `127.0.0.1:${metricsPort}`,
  }
  const { child, exited } = run(env, [], resourceUsageArgs, stdout)
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(isUp, { timeout: 30_000 })
  return {
    child,
    url,
    droppedLines: async () => {
      const { text } = await send(`http://127.0.0.1:${metricsPort}`, '/metrics')
      return Number(/^storeport_log_lines_dropped_total (\d+)/m.exec(text)?.[1])
    },
    megabytes: async () => (await readResourceUsage(child)).bytes / 1024 / 1024,
    /** Stops the host. Returns its exit code and its standard error. Rejects if the host does not exit within 5 s. */
    end: async () => {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(5000) })
      child.kill('SIGTERM')
      await ended
      return exited
    },
  }
}

/** Sends requests over 20 connections. The host logs a line for each request. Returns the statuses. */
async function sendRequests(url: string, count: number): Promise<ReadonlySet<number>> {
  const headers = { 'x-request-id': 'r'.repeat(120) }
  const statuses = new Set<number>()
  let left = count
  const sendNext = async () => {
    while (left-- > 0) {
      const path = '/integration/discounts/get-discount?discount_code=TEST10'
      statuses.add((await send(url, path, { headers })).status)
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendNext))
  return statuses
}

interface Output {
  /** File descriptor of the log output. */
  readonly output: number
  /** Called after the host has started. */
  readonly onStart: () => void
}

/** Opens a named pipe that no program reads. With `closes`, the reading end is closed after the start of the host. */
async function openPipe(closes: boolean): Promise<Output> {
  const path = join(await mkdtemp(join(tmpdir(), 'storeport-pipe-')), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if (!closes) onTestFinished(() => closeSync(reader))
  return { output: openSync(path, constants.O_WRONLY), onStart: () => closes && closeSync(reader) }
}

describe('log that cannot be written', () => {
  it.each<[string, () => Promise<Output>]>([
    ['a pipe without a reader', () => openPipe(false)],
    ['a closed pipe', () => openPipe(true)],
    ['a full disk', async () => ({ output: openSync('/dev/full', 'w'), onStart: () => {} })],
  ])('serves requests, limits memory and stops normally with %s as the log output', async (_where, openOutput) => {
    const { output, onStart } = await openOutput()
    const host = await startHost(output)
    closeSync(output)
    onStart()
    await sendRequests(host.url, 1000)
    const before = await host.megabytes()
    const statuses = await sendRequests(host.url, 8000)
    const growth = (await host.megabytes()) - before
    expect(await host.droppedLines()).toBeGreaterThan(1000)
    const { code, stderr } = await host.end()
    console.log(`memory +${growth.toFixed(1)} MB`)
    expect([[...statuses], code, stderr]).toEqual([[200], 0, ''])
    // The log is limited to 256 KiB. Without the limit, memory grows by 10 MB.
    expect(growth).toBeLessThan(2)
  })
})
