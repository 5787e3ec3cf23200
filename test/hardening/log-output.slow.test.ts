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

/** Starts a host whose standard output is a file descriptor. */
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
    /** Ends it, and says with what and within how many milliseconds. */
    end: async () => {
      const start = performance.now()
      const closed = once(child, 'exit')
      child.kill('SIGTERM')
      const [code]: unknown[] = await Promise.race([closed, patience(14_000)])
      return { code, ms: performance.now() - start, stderr }
    },
  }
}

/** Gives up on something after a time. */
function patience(ms: number): Promise<unknown[]> {
  return new Promise((giveUp) => setTimeout(() => giveUp(['still running']), ms).unref())
}

/** Makes calls, 20 at a time, each a line of the log; how long the slowest took, in milliseconds. */
async function makeCalls(
  url: string,
  count: number,
  { apiKey = key, atOnce = 20 } = {},
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
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { slowest, statuses }
}

/** A pipe whose reading end is open and never read. */
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

const calls = 8000

describe('a log that nobody takes', () => {
  it.each([
    ['in a pipe that nobody reads', async () => (await openPipe()).writer],
    ['on a full disk', async () => openSync('/dev/full', 'w')],
  ])('%s neither stops the host nor fills its memory nor keeps it from its end', async (_where, openOutput) => {
    const output = await openOutput()
    const host = await startHost(output)
    closeSync(output)
    await makeCalls(host.url, 1000)
    const before = await host.megabytes()
    const { slowest, statuses } = await makeCalls(host.url, calls)
    const growth = (await host.megabytes()) - before
    const { code, ms, stderr } = await host.end()
    console.log(
      `${calls} calls, slowest ${slowest.toFixed(0)} ms, ${growth.toFixed(1)} MB held more, ended in ${ms.toFixed(0)} ms`,
    )
    expect([[...statuses], code, stderr]).toEqual([[200], 0, ''])
    // One megabyte waits at most; without that bound it is 2.7.
    expect(growth).toBeLessThan(2)
    expect(ms).toBeLessThan(5000)
  })
})

describe('calls without a key', () => {
  it('are logged at most 10 a second, with a count of the rest and the address', async () => {
    const { reader, writer } = await openPipe()
    const host = await startHost(writer)
    closeSync(writer)
    const start = performance.now()
    const strangers = 3000
    const { statuses } = await makeCalls(host.url, strangers, { apiKey: 'a-wrong-key-of-the-tests', atOnce: 300 })
    const seconds = Math.ceil((performance.now() - start) / 1000) + 1
    const { code } = await host.end()
    const buffer = Buffer.alloc(1_048_576)
    const lines = linesOf(buffer.toString('utf8', 0, readSync(reader, buffer)))
    const refused = lines.filter((line) => line['code'] === 'unauthorized')
    const unlogged = lines.reduce((sum, line) => sum + Number(line['unloggedCalls'] ?? 0), 0)
    console.log(`${strangers} calls without a key in ${seconds} s: ${refused.length} lines, ${unlogged} counted`)
    expect([[...statuses], code, refused.length + unlogged]).toEqual([[401], 0, strangers])
    expect(refused.length).toBeLessThanOrEqual(10 * seconds)
    for (const line of refused) expect(line['address']).toBe('127.0.0.1')
  })
})
