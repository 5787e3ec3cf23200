import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLoad } from '../measure/load.ts'
import { compile, startProcess } from '../measure/processes.ts'
import { getSubscription, post, type RawRequest } from '../measure/requests.ts'
import type { Effort, Section } from '../report.ts'
import { apiKey } from '../shop.ts'

const parts = 5
const email = 'another@example.com'

/** Measures the memory of the reference host, idle and under load. */
export async function memory({ full }: Effort): Promise<Section> {
  const total = full ? 1_000_000 : 20_000
  const rows: string[][] = []
  const folder = await mkdtemp(join(tmpdir(), 'storeport-bench-'))
  const environment = {
    PORT: '0',
    STOREPORT_API_KEYS: apiKey,
    STOREPORT_DATA: folder,
    STOREPORT_LOG: 'warn',
    STOREPORT_PLAYGROUND: 'off',
  }
  const program = await compile('host')
  // The host reads these files next to the folder of its program.
  await cp('packages/host/images', resolve(program, '../../images'), { recursive: true })
  const host = await startProcess(program, environment, false)
  try {
    const load = openLoad(host.port)
    // Waits until the memory that the startup used is freed.
    await sleep(2000)
    for (let part = 0; part <= parts; part++) {
      if (part > 0) await load.send(total / parts, requestOf)
      rows.push([((total / parts) * part).toLocaleString('en'), (await megabytesOf(host.pid)).toFixed(0)])
    }
    load.close()
  } finally {
    await host.end()
    await rm(folder, { recursive: true, force: true })
  }
  const method =
    'Resident memory of the reference host on SQLite. Nine of ten requests are reads, one runs a custom action, over 16 ' +
    'connections.'
  return { title: 'Memory of the host', method, columns: ['after requests', 'MB'], rows }
}

function requestOf(turn: number): RawRequest {
  if (turn % 10 !== 0) return getSubscription(email)
  return post('custom-action', { email, action_id: 'join_waitlist_product_123' })
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
