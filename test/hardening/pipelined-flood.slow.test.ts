import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { key } from './shops/shop.ts'
import type { Held } from './soak-host.ts'

const connections = 3
/** Bytes of requests on each connection, about as many as the kernel hands over in one piece. */
const bytesEach = 32_000

it.each([
  ['the description of the API', '/openapi.json', ''],
  ['calls', '/integration/upsells/products', `X-Integration-API-Key: ${key}\r\n`],
  ['calls without a key', '/integration/upsells/products', ''],
])(
  `${connections} connections that ask for %s many times at once and take no answer cost less than 40 MB`,
  { timeout: 60_000 },
  async (_what, path, headers) => {
    const host = await startHost()
    const answered = await fetch(`${host.url}${path}`, { headers: { 'x-integration-api-key': key } })
    expect(answered.status).toBe(200)
    await answered.arrayBuffer()
    await host.held()
    const { residentBytes } = await host.held()

    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
    const requests = Math.floor(bytesEach / request.length)
    for (let index = 0; index < connections; index += 1) {
      const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.pause()
      socket.write(request.repeat(requests))
    }
    for (let call = 0; call < 50; call += 1) expect((await fetch(`${host.url}/healthz`)).status).toBe(200)
    const { peakBytes } = await host.held()
    const growth = (peakBytes - residentBytes) / 1_000_000
    console.log(`${connections * requests} × GET ${path}: ${growth.toFixed(1)} MB more`)
    expect(growth).toBeLessThan(40)
  },
)

/** Runs the host in a process of its own; what it logs goes nowhere. */
async function startHost() {
  const child = fork(join(import.meta.dirname, 'soak-host.ts'), [], {
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: ['--expose-gc', '--import', 'tsx'],
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [url]: unknown[] = await once(child, 'message')
  const held = async () => {
    child.send('what do you hold')
    const [answer]: Held[] = await once(child, 'message')
    if (answer === undefined) throw new Error('the host did not say')
    return answer
  }
  return { url: String(url), held }
}
