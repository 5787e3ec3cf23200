import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { readResourceUsage, resourceUsageArgs } from '@storeport/testing/resource-usage'
import { findFreePort } from '@storeport/testing/find-free-port'
import { makeFolder } from '@storeport/testing/make-folder'
import { key, send } from '@storeport/testing/send'
import { dataFolder, run } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'

/** Starts a host whose log output is a file descriptor, and waits until it responds. */
async function startHost(output: number) {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()]
  const env = {
    ...{ PORT: String(port), STOREPORT_METRICS: `127.0.0.1:${metricsPort}` },
    ...{ STOREPORT_DATA: await dataFolder(), STOREPORT_STORE: 'memory', STOREPORT_API_KEYS: key },
  }
  const { child, exited } = run(env, [], resourceUsageArgs, output)
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await vi.waitUntil(() => send(url, '/healthz').catch(() => undefined), { timeout: 30_000 })
  const droppedLines = async () => {
    const { text } = await send(`http://127.0.0.1:${metricsPort}`, '/metrics')
    return Number(/^storeport_log_lines_dropped_total (\d+)/m.exec(text)?.[1])
  }
  return { child, exited, url, droppedLines, megabytes: async () => (await readResourceUsage(child)).bytes / 2 ** 20 }
}

/** Sends requests over 20 connections. The host logs a line for each request. Returns the statuses. */
async function sendRequests(url: string, count: number): Promise<readonly number[]> {
  const headers = { 'x-request-id': 'r'.repeat(120) }
  const statuses = new Set<number>()
  const sendMany = async () => {
    for (let sent = 0; sent < count / 20; sent += 1)
      statuses.add((await send(url, '/integration/discounts/get-discount?discount_code=TEST10', { headers })).status)
  }
  await Promise.all(Array.from({ length: 20 }, sendMany))
  return [...statuses]
}

/** Opens a named pipe that no program reads. Returns the descriptors of its writing and its reading end. */
async function openPipe(): Promise<readonly [output: number, reader: number]> {
  const path = join(await makeFolder('pipe'), 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return [openSync(path, constants.O_WRONLY), reader]
}

it.each(['a pipe without a reader', 'a closed pipe', 'a full disk'])(
  'serves requests, limits memory and stops normally if the log output is %s',
  { timeout: 90_000 },
  async (output) => {
    const [writer, reader] = output === 'a full disk' ? [openSync('/dev/full', 'w')] : await openPipe()
    const host = await startHost(writer)
    closeSync(writer)
    if (reader !== undefined && output === 'a closed pipe') closeSync(reader)
    else if (reader !== undefined) onTestFinished(() => closeSync(reader))
    await sendRequests(host.url, 1000)
    const before = await host.megabytes()
    expect(await sendRequests(host.url, 8000)).toEqual([200])
    // The log is limited to 256 KiB. Without the limit, memory grows by 10 MB.
    expect((await host.megabytes()) - before).toBeLessThan(2)
    expect(await host.droppedLines()).toBeGreaterThan(1000)
    host.child.kill('SIGTERM')
    expect(await host.exited).toMatchObject({ code: 0, stderr: '' })
  },
)
