import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { key } from './shops/shop.ts'

const connections = 3
/** Number of requests on each connection, few enough to arrive in one socket read. */
const requests = 500

it(
  `uses less than 40 MB for ${connections} connections that pipeline ${requests} large requests and read no response`,
  { timeout: 60_000 },
  async () => {
    const { port, pid } = await startLargeShop()
    const headers = { 'X-Integration-API-Key': key }
    const listProducts = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/integration/upsells/products`, { headers })
      return (await response.arrayBuffer()).byteLength
    }
    for (let warmUp = 0; warmUp < 20; warmUp += 1) expect(await listProducts()).toBeGreaterThan(300_000)
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    const before = await peakMegabytes(pid)

    const request = `GET /integration/upsells/products HTTP/1.1\r\nHost: a\r\nX-Integration-API-Key: ${key}\r\n\r\n`
    for (let index = 0; index < connections; index += 1) {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.pause()
      socket.write(request.repeat(requests))
    }
    for (let turn = 0; turn < 20; turn += 1) await listProducts()
    const growth = (await peakMegabytes(pid)) - before
    console.log(`${connections * requests} large requests with unread responses: peak memory +${growth.toFixed(1)} MB`)
    expect(growth).toBeLessThan(40)
  },
)

async function startLargeShop(): Promise<{ port: number; pid: number }> {
  const child = fork(join(import.meta.dirname, 'shops/large-shop.ts'), [], {
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: ['--max-semi-space-size=4', '--import', 'tsx'],
    env: { NODE_ENV: 'test', PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port]: unknown[] = await once(child, 'message')
  if (child.pid === undefined) throw new Error('The shop did not start.')
  return { port: Number(port), pid: child.pid }
}

/** Returns the peak resident memory of a process since the peak was reset, in megabytes. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
