import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLoad } from '../measure/load.ts'
import { compile, startProcess } from '../measure/processes.ts'
import { getSubscription, post } from '../measure/requests.ts'
import type { Effort, Section } from '../report.ts'
import { apiKey } from '../shop.ts'

const parts = 5
const email = 'another@example.com'

/** The memory of the reference host, idle and under load. */
export async function memory({ full }: Effort): Promise<Section> {
  const total = full ? 1_000_000 : 20_000
  const sizes = await runHost(total)
  return {
    title: 'Memory of the host',
    method:
      'Resident memory of the reference host on SQLite. Nine of ten requests read, one runs a custom action, over 16 ' +
      'connections.',
    columns: ['after requests', 'MB'],
    rows: sizes.map((size, part) => [((total / parts) * part).toLocaleString('en'), size.toFixed(0)]),
  }
}

/** Returns megabytes, idle and after each part of the requests. */
async function runHost(total: number): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-bench-'))
  const environment = {
    PORT: '0',
    STOREPORT_API_KEYS: apiKey,
    STOREPORT_DATA: folder,
    STOREPORT_LOG: 'warn',
    STOREPORT_PLAYGROUND: 'off',
  }
  const host = await startProcess(await compile('host'), environment, false)
  try {
    const load = await openLoad(host.port)
    // The memory of the start is freed by then.
    await new Promise((resume) => setTimeout(resume, 2000))
    const sizes = [await megabytesOf(host.pid)]
    for (let part = 0; part < parts; part++) {
      await load.send(total / parts, (turn) =>
        turn % 10 === 0
          ? post('custom-action', { email, action_id: 'join_waitlist_product_123' })
          : getSubscription(email),
      )
      sizes.push(await megabytesOf(host.pid))
    }
    load.close()
    return sizes
  } finally {
    await host.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
