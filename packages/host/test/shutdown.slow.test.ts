import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { key, send } from '@storeport/testing/send'
import { openHost } from './open-host.ts'
import { hostForTest } from '@storeport/testing/start-host-process'

const body = '{"email":"subscription@example.com","new_date":"2099-01-31"}'
const delay = [
  'POST /integration/customer-portal/delay HTTP/1.1',
  'Host: a',
  `X-Integration-API-Key: ${key}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '\r\n',
].join('\r\n')

/** Sends a complete request, and then only a part of a second request. */
async function sendHalfRequest(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (data) => (received += data.toString()))
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
  })
  socket.write(`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n${delay}${body.slice(0, 10)}`)
  // The response to the first request shows that the server has received the data.
  await vi.waitUntil(() => received.includes('"ok"'), 30_000)
  return { finish: () => socket.write(body.slice(10)), ended }
}

/** Waits until new connections are rejected. */
async function waitUntilClosed(url: string) {
  await vi.waitUntil(
    async () => {
      const late = connect(Number(new URL(url).port), '127.0.0.1')
      const isRejected = await once(late, 'connect').then(
        () => false,
        () => true,
      )
      late.destroy()
      return isRejected
    },
    { timeout: 20_000 },
  )
}

/** Repeats a signal until the process exits, because the host treats signals in quick succession as a single signal. */
async function repeat(child: ChildProcess, signal: NodeJS.Signals) {
  await vi.waitUntil(() => !child.kill(signal) || child.exitCode !== null, { timeout: 20_000 })
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('a host that receives %s', (signal) => {
  it('stops accepting connections, finishes in-flight requests and exits with 0', async () => {
    const host = await hostForTest()
    const call = await sendHalfRequest(host.url)
    // Sends the signal twice, because npm forwards a signal that the terminal has already sent to the host.
    host.child.kill(signal)
    host.child.kill(signal)
    await waitUntilClosed(host.url)
    expect(host.child.exitCode).toBe(null)
    call.finish()
    const received = await call.ended
    expect(received).toMatch(/HTTP\/1\.1 200 OK\r\n(?:(?!\r\n\r\n)[^])*Connection: close[^]*\{"success":true\}$/)
    expect(await host.exited).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits with 1 if the signal is repeated', async () => {
    const host = await hostForTest()
    await sendHalfRequest(host.url)
    host.child.kill(signal)
    await waitUntilClosed(host.url)
    await repeat(host.child, signal)
    expect(await host.exited).toMatchObject({ code: 1, stderr: '' })
  })
})

describe('an uncaught exception', () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'throw-on-signal.mjs')).href

  it.each(['throw', 'reject'])(
    'is logged without customer data and ends the host with exit code 1 (%s)',
    async (how) => {
      const host = await hostForTest({ NODE_OPTIONS: `--import=${preload}`, HOW: how })
      host.child.kill('SIGUSR2')
      const { code, stdout, stderr } = await host.exited
      expect([code, stderr]).toEqual([1, ''])
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
        level: 60,
        msg: 'uncaught exception, exiting',
        error: 'ShopError: cannot reach [email]\nwith [email]',
        at: expect.arrayContaining([expect.stringContaining('throw-on-signal.mjs')]),
      })
      expect(stdout).not.toMatch(/jane|secret/)
    },
  )
})

describe('closing a host', () => {
  it('does not wait for hanging requests or a hanging store beyond the time limits', async () => {
    const close = vi.fn(() => new Promise<void>(() => {}))
    const getSubscription = vi.fn(() => new Promise<never>(() => {}))
    const host = await openHost({}, { store: { getSubscription }, close })
    const path = '/integration/customer-portal/subscription?email=subscription@example.com'
    const disconnected = expect(send(host.url, path)).rejects.toThrow('fetch failed')
    await vi.waitUntil(() => getSubscription.mock.calls.length > 0, 30_000)
    await host.close()
    await disconnected
    expect(close).toHaveBeenCalled()
  })
})
