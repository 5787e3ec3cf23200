import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Starts a host process. `send` sends a request whose log line is long. */
async function openLoggingHost() {
  const { child, url, output } = await openProcess({ STOREPORT_METRICS: '127.0.0.1:0' })
  const metricsUrl = /Metrics at (\S+)/.exec(output.stdout)?.[1] ?? ''
  const headers = { 'x-integration-api-key': key, 'x-request-id': 'x'.repeat(128) }
  const send = async () => {
    const response = await fetch(`${url}/integration/upsells/products`, { headers })
    await response.arrayBuffer()
    return response.status
  }
  const readDropped = async () =>
    Number(/^storeport_log_lines_dropped_total (\d+)/m.exec(await (await fetch(metricsUrl)).text())?.[1])
  return { child, send, readDropped }
}

it('drops log lines if their reader stalls, responds to requests, and stops on SIGTERM', async () => {
  const { child, send, readDropped } = await openLoggingHost()
  child.stdout?.pause()
  do {
    expect(await Promise.all(Array.from({ length: 50 }, send))).toEqual(Array(50).fill(200))
  } while ((await readDropped()) === 0)
  const started = performance.now()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(performance.now() - started).toBeLessThan(10_000)
})

it('continues after its log reader has closed the pipe', async () => {
  const { child, send, readDropped } = await openLoggingHost()
  child.stdout?.destroy()
  await vi.waitUntil(async () => (await send()) === 200 && (await readDropped()) > 1, 30_000)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
