import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })

const key = 'a-key-of-the-tests-0001'

async function startHost() {
  const host = await startHostProcess({
    STOREPORT_DATA: await dataFolder(),
    STOREPORT_STORE: 'memory',
    STOREPORT_API_KEYS: key,
    STOREPORT_LOG: 'silent',
  })
  onTestFinished(() => void host.child.kill('SIGKILL'))
  const megabytes = async () => {
    const status = await readFile(`/proc/${host.child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
  }
  /** One call of the API, and how long it took in milliseconds. */
  const timeCall = async () => {
    const start = performance.now()
    const headers = { 'x-integration-api-key': key }
    const response = await fetch(`${host.url}/integration/upsells/products`, { headers })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    return performance.now() - start
  }
  return { url: host.url, megabytes, timeCall }
}

/** Asks for a path many times in one go, and never reads what comes. */
async function askWithoutReading(url: string, path: string, times: number): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  await once(socket, 'connect')
  const text = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times)
  socket.write(text)
  return text.length
}

it.each(['/docs/swagger-ui-bundle.js', '/openapi.json', '/images/test_12345.svg'])(
  'a file that is asked for many times and never read takes no memory and no time from others: %s',
  async (path) => {
    const { url, megabytes, timeCall } = await startHost()
    for (let warm = 0; warm < 20; warm++) await timeCall()
    await (await fetch(url + path)).arrayBuffer()
    const before = await megabytes()
    const times = 600
    const sent = await Promise.all([1, 2, 3].map(() => askWithoutReading(url, path, times)))
    // The calls come in while the host works on what was sent before them.
    const late = Math.max(...(await Promise.all(Array.from({ length: 5 }, timeCall))))
    let most = await megabytes()
    for (let call = 0; call < 50; call++) {
      await timeCall()
      most = Math.max(most, await megabytes())
    }
    const growth = most - before
    console.log(
      `${3 * times} requests in ${sent.reduce((sum, bytes) => sum + bytes, 0)} bytes: ${growth.toFixed(1)} MB more, a call beside them took ${late.toFixed(0)} ms`,
    )
    expect(growth).toBeLessThan(40)
    expect(late).toBeLessThan(1000)
  },
)
