import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { key } from './shops/shop.ts'

const connections = 3
/** Requests on each connection: fewer bytes than the kernel hands over in one piece. */
const requests = 500

it(
  `${connections} connections that make a large call ${requests} times at once and take no answer cost less than 40 MB`,
  { timeout: 60_000 },
  async () => {
    const { port, pid } = await startLargeShop()
    const headers = { 'X-Integration-API-Key': key }
    const call = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/integration/upsells/products`, { headers })
      return (await response.arrayBuffer()).byteLength
    }
    for (let warm = 0; warm < 20; warm += 1) expect(await call()).toBeGreaterThan(300_000)
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    const before = await peakMegabytes(pid)

    const request = `GET /integration/upsells/products HTTP/1.1\r\nHost: a\r\nX-Integration-API-Key: ${key}\r\n\r\n`
    for (let index = 0; index < connections; index += 1) {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.pause()
      socket.write(request.repeat(requests))
    }
    for (let beside = 0; beside < 20; beside += 1) await call()
    const growth = (await peakMegabytes(pid)) - before
    console.log(
      `${connections * requests} large calls without taking the answers: ${growth.toFixed(1)} MB more at most`,
    )
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
  if (child.pid === undefined) throw new Error('the shop did not start')
  return { port: Number(port), pid: child.pid }
}

/** The most memory that a process has had of the machine since its mark was cleared. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
