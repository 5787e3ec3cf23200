import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
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
    /** Stops the host. Returns its exit code, its standard error, and the time that the exit took in milliseconds. */
    end: async () => {
      const start = performance.now()
      const closed = once(child, 'exit')
      child.kill('SIGTERM')
      const [code]: unknown[] = await Promise.race([closed, timeout(14_000)])
      return { code, ms: performance.now() - start, stderr }
    },
  }
}

/** Resolves with `still running` after a timeout. */
function timeout(ms: number): Promise<unknown[]> {
  return new Promise((expire) => setTimeout(() => expire(['still running']), ms).unref())
}

/** Sends concurrent requests, each of which writes a log line. Returns the longest duration, in milliseconds. */
async function sendRequests(
  url: string,
  count: number,
  { apiKey = key, maxConcurrent = 20 } = {},
): Promise<{ slowest: number; statuses: Set<number> }> {
  const statuses = new Set<number>()
  let [left, slowest] = [count, 0]
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now()
      const sent = request(`${url}/integration/discounts/get-discount?discount_code=TEST10`, {
        headers: { 'x-integration-api-key': apiKey, 'x-request-id': 'r'.repeat(120) },
        signal: AbortSignal.timeout(15_000),
      }).end()
      const [response] = await once(sent, 'response')
      response.resume()
      statuses.add(response.statusCode)
      slowest = Math.max(slowest, performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, lane))
  return { slowest, statuses }
}

/** Opens a named pipe. Only the test reads from it. */
async function openPipe() {
  const path = join(await mkdtemp(join(tmpdir(), 'storeport-pipe-')), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  onTestFinished(() => {
    closeSync(reader)
  })
  return { reader, writer }
}

function linesOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line): Record<string, unknown> => JSON.parse(line))
}

const requests = 8000

describe('log that cannot be written', () => {
  it.each([
    ['a pipe without a reader', async () => (await openPipe()).writer],
    ['a full disk', async () => openSync('/dev/full', 'w')],
  ])('serves requests, limits memory and stops normally with %s as the log output', async (_where, openOutput) => {
    const output = await openOutput()
    const host = await startHost(output)
    closeSync(output)
    await sendRequests(host.url, 1000)
    const before = await host.megabytes()
    const { slowest, statuses } = await sendRequests(host.url, requests)
    const growth = (await host.megabytes()) - before
    const { code, ms, stderr } = await host.end()
    console.log(
      `${requests} requests, slowest ${slowest.toFixed(0)} ms, memory +${growth.toFixed(1)} MB, stopped in ${ms.toFixed(0)} ms`,
    )
    expect([[...statuses], code, stderr]).toEqual([[200], 0, ''])
    // The log queue is limited to 1 MB. Without the limit, memory grows by 2.7 MB.
    expect(growth).toBeLessThan(2)
    expect(ms).toBeLessThan(5000)
  })
})

describe('requests with an invalid key', () => {
  it('cause at most 10 log lines per second, with the IP address and the number of unlogged requests', async () => {
    const { reader, writer } = await openPipe()
    const host = await startHost(writer)
    closeSync(writer)
    const start = performance.now()
    const unauthorized = 3000
    const options = { apiKey: 'a-wrong-key-of-the-tests', maxConcurrent: 300 }
    const { statuses } = await sendRequests(host.url, unauthorized, options)
    const seconds = Math.ceil((performance.now() - start) / 1000) + 1
    const { code } = await host.end()
    const buffer = Buffer.alloc(1_048_576)
    const lines = linesOf(buffer.toString('utf8', 0, readSync(reader, buffer)))
    const logged = lines.filter((line) => line['code'] === 'unauthorized')
    const unlogged = lines.reduce((sum, line) => sum + Number(line['unloggedCalls'] ?? 0), 0)
    console.log(
      `${unauthorized} requests with an invalid key in ${seconds} s: ${logged.length} logged, ${unlogged} unlogged`,
    )
    expect([[...statuses], code, logged.length + unlogged]).toEqual([[401], 0, unauthorized])
    expect(logged.length).toBeLessThanOrEqual(10 * seconds)
    for (const line of logged) expect(line['address']).toBe('127.0.0.1')
  })
})
