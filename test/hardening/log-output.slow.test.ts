import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { findFreePort } from '@storeport/testing/find-free-port'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

const key = 'a-key-of-the-tests-0001'

const main = resolve(import.meta.dirname, '../../packages/host/src/main.ts')

async function startHost(stdout: number) {
  const port = await findFreePort()
  const child = spawn(process.execPath, [...resourceUsageArgs, main], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: {
      NODE_ENV: 'test',
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      STOREPORT_DATA: await dataFolder(),
      STOREPORT_STORE: 'memory',
      STOREPORT_API_KEYS: key,
    },
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
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
    megabytes: async () => (await readResourceUsage(child)).bytes / 1024 / 1024,
    /** Stops the host. Returns its exit code and its standard error. Rejects if the host does not exit within 5 s. */
    end: async () => {
      const closed = once(child, 'exit', { signal: AbortSignal.timeout(5000) })
      child.kill('SIGTERM')
      const [code]: unknown[] = await closed
      return { code, stderr }
    },
  }
}

/** Sends requests over 20 connections. The host logs a line for each request. Returns the statuses. */
async function sendRequests(url: string, count: number): Promise<ReadonlySet<number>> {
  const headers = { 'x-integration-api-key': key, 'x-request-id': 'r'.repeat(120) }
  const statuses = new Set<number>()
  let left = count
  const sendNext = async () => {
    while (left-- > 0) {
      const response = await fetch(`${url}/integration/discounts/get-discount?discount_code=TEST10`, { headers })
      await response.arrayBuffer()
      statuses.add(response.status)
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendNext))
  return statuses
}

/** Opens a named pipe that no program reads, and returns its writing end. */
async function openPipe(): Promise<number> {
  const path = join(await mkdtemp(join(tmpdir(), 'storeport-pipe-')), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
  return openSync(path, constants.O_WRONLY)
}

describe('log that cannot be written', () => {
  it.each([
    ['a pipe without a reader', openPipe],
    ['a full disk', async () => openSync('/dev/full', 'w')],
  ])('serves requests, limits memory and stops normally with %s as the log output', async (_where, openOutput) => {
    const output = await openOutput()
    const host = await startHost(output)
    closeSync(output)
    await sendRequests(host.url, 1000)
    const before = await host.megabytes()
    const statuses = await sendRequests(host.url, 8000)
    const growth = (await host.megabytes()) - before
    const { code, stderr } = await host.end()
    console.log(`memory +${growth.toFixed(1)} MB`)
    expect([[...statuses], code, stderr]).toEqual([[200], 0, ''])
    // The log is limited to 256 KiB. Without the limit, memory grows by 10 MB.
    expect(growth).toBeLessThan(2)
  })
})
