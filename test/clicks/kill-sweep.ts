import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@storeport/testing/make-folder'
import { type Change, emailOf } from './backends.ts'
import { openShop, repeatUntil, send, type SentClick, type ShopRow } from './open-shop.ts'

const calls =
  'write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,ftruncate'

/** The n-th call with this name on a thread. Thread ids differ between processes, so `thread` is a position. */
interface Point {
  readonly thread: number
  readonly call: string
  readonly n: number
}

/** Returns why processes cannot be traced, if they cannot. In CI, no reason is accepted. */
export function noTracing(): string | undefined {
  const { status, error, stderr } = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', 'true'])
  return status === 0 || process.env['CI'] === 'true' ? undefined : `cannot trace: ${error?.message ?? String(stderr)}`
}

/** Traces a process or threads. Returns a function that ends the trace. */
async function attach(ids: readonly number[], args: readonly string[]): Promise<() => Promise<void>> {
  const strace = spawn('strace', [...args, ...ids.flatMap((id) => ['-p', String(id)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(strace, 'exit')
  let output = ''
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (data: Buffer) => {
      output += data.toString()
      if (output.includes('attached')) resolve()
    })
    void ended.then(() => reject(new Error(`strace exited: ${output}`)))
  })
  return async () => {
    strace.kill('SIGINT')
    await ended
  }
}

async function threadsOf(pid: number): Promise<readonly number[]> {
  return (await readdir(`/proc/${pid}/task`)).map(Number).toSorted((one, other) => one - other)
}

/** Returns the calls that a click makes on each thread. */
async function trace(pid: number, run: () => Promise<unknown>): Promise<readonly Point[]> {
  const file = join(await makeFolder('strace'), 'calls')
  const detach = await attach([pid], ['-f', '-o', file, '-e', `trace=${calls}`])
  await run()
  const threads = await threadsOf(pid)
  await detach()
  const counts = new Map<string, number>()
  return (await readFile(file, 'utf8')).split('\n').flatMap((line): Point[] => {
    const [, id, call = ''] = /^(\d+) +(\w+)\(\d/.exec(line) ?? []
    if (id === undefined) return []
    const n = (counts.get(`${id} ${call}`) ?? 0) + 1
    counts.set(`${id} ${call}`, n)
    return [{ thread: threads.indexOf(Number(id)), call, n }]
  })
}

const textOf = ({ thread, call, n }: Point) => `${call} ${n} of thread ${thread}`

/**
 * Kills a shop at the calls of one click, each time with another customer. Then repeats each click until it succeeds,
 * and counts its effects. `maxPoints` limits the number of kills; the points are spread over the click. `wrong` lists the
 * points after which the click did not have exactly one effect, and the points at which the process did not die.
 */
export async function sweep(row: ShopRow, change: Change, maxPoints = Infinity) {
  const shop = await openShop(row, { customers: 800, timeoutMs: 2000 })
  const wrong: string[] = []
  const killed: { readonly click: SentClick; readonly point: string }[] = []
  let customers = 0
  const nextClick = (): SentClick => {
    const email = emailOf(4 * customers++ + (change === 'send now' ? 3 : 0))
    return { email, change, name: customers % 2 === 0 ? `name-of-${email}` : undefined }
  }
  /** Starts a process that has opened its connections and run its one-time statements. */
  const startWarm = async () => {
    const host = await shop.start()
    await sendUntilSuccess(host.url, nextClick())
    return { host, pid: host.child.pid ?? 0 }
  }

  /** Returns the calls that three clicks have in common. */
  async function findPoints(): Promise<readonly Point[]> {
    const { host, pid } = await startWarm()
    const traces: (readonly Point[])[] = []
    for (let turn = 0; turn < 3; turn++) traces.push(await trace(pid, () => sendUntilSuccess(host.url, nextClick())))
    await host.kill()
    const [first = [], ...others] = traces
    return first.filter((point) => others.every((each) => each.map(textOf).includes(textOf(point))))
  }

  /** Kills a process at a call of a click. Returns the click; undefined if three processes did not die there. */
  async function killAt(point: Point): Promise<SentClick | undefined> {
    for (let turn = 0; turn < 3; turn++) {
      const { host, pid } = await startWarm()
      const [main = pid, ...workers] = await threadsOf(pid)
      // Any worker can take the call, so the kill must wait for it on all of them.
      const threads = point.thread === 0 ? [main] : workers
      const inject = `inject=${point.call}:signal=SIGKILL:when=${point.n}`
      const detach = await attach(threads, ['-o', '/dev/null', '-e', `trace=${point.call}`, '-e', inject])
      const click = nextClick()
      const { status } = await send(host.url, click)
      await detach()
      await host.kill()
      if (status === 0) return click
    }
    return undefined
  }

  try {
    const points = await findPoints()
    const step = Math.max(1, points.length / maxPoints)
    for (const point of points.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step))) {
      const click = await killAt(point)
      if (click === undefined) wrong.push(`${textOf(point)}: the process did not die`)
      else killed.push({ click, point: textOf(point) })
    }
    const last = await shop.start()
    await Promise.all(killed.map(({ click }) => sendUntilSuccess(last.url, click)))
    await last.kill()
    for (const { click, point } of killed) {
      const effects = await shop.effects(click.email, change)
      if (effects.some((count) => count !== 1)) wrong.push(`${point}: ${effects.join(' and ')} effects`)
    }
    return { points: points.length, kills: killed.length, wrong }
  } finally {
    await shop.stop()
  }
}

function sendUntilSuccess(url: string, click: SentClick): Promise<true> {
  return repeatUntil(async () => (await send(url, click)).status === 200 || undefined)
}
