import { readFile } from 'node:fs/promises'
import { compile } from '../measure/compile.ts'
import { hostFolder } from '../measure/host-folder.ts'
import { openLoad } from '../measure/load.ts'
import type { RawRequest } from '../measure/requests.ts'
import { startPort } from '../measure/subject.ts'
import type { Effort, Finding, Section } from '../report/section.ts'
import { apiKey } from '../shop.ts'

const most = 120
const growthAllowed = 5
const parts = 10

/** What a host came to. */
interface Run {
  /** Megabytes, idle and after each part of the requests. */
  readonly sizes: readonly number[]
  /** CPU time of a request, in microseconds. */
  readonly microseconds: number
}

/** What the host holds in memory, idle and after many requests. */
export async function memory({ full }: Effort): Promise<Section> {
  const total = full ? 1_000_000 : 20_000
  const file = await compile('bench/servers/host.ts')
  const run = await runHost(file, total)
  return {
    title: 'Memory of the host',
    method:
      'Resident memory of the process of the reference host on SQLite, nine reads to one custom action, 16 connections; ' +
      `growth is that of the second half. A request takes ${run.microseconds.toFixed(0)} µs of CPU.`,
    columns: ['after requests', 'MB'],
    rows: run.sizes.map((size, part) => [((total / parts) * part).toLocaleString('en'), size.toFixed(0)]),
    findings: findingsOf(run, total),
  }
}

async function runHost(file: string, total: number): Promise<Run> {
  const folder = await hostFolder()
  const host = await startPort(file, folder.environment)
  try {
    const load = await openLoad(host.port)
    // What was needed for the start alone is given back by then.
    await new Promise((resume) => setTimeout(resume, 2000))
    const sizes = [await megabytesOf(host.pid)]
    const before = await host.cpu()
    for (let part = 0; part < parts; part++) {
      await load.send(total / parts, readOrAct)
      sizes.push(await megabytesOf(host.pid))
    }
    load.close()
    return { sizes, microseconds: ((await host.cpu()) - before) / total }
  } finally {
    await host.end()
    await folder.remove()
  }
}

function findingsOf({ sizes }: Run, total: number): Finding[] {
  const largest = Math.max(...sizes)
  const growth = (sizes.at(-1) ?? Number.NaN) - (sizes[parts / 2] ?? Number.NaN)
  return [
    {
      what: `host, idle and over ${total.toLocaleString('en')} requests, at most`,
      reach: `< ${most} MB`,
      measured: `${largest.toFixed(0)} MB (idle ${sizes[0]?.toFixed(0)} MB)`,
      verdict: largest < most ? 'reached' : 'not reached',
    },
    {
      what: 'host, growth in the second half',
      reach: `≤ ${growthAllowed} MB`,
      measured: `${growth.toFixed(1)} MB`,
      verdict: growth <= growthAllowed ? 'reached' : 'not reached',
    },
  ]
}

async function megabytesOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** Repeats of the action within its window are answered by the ledger, as those of a finger would be. */
function readOrAct(turn: number): RawRequest {
  const headers = { 'X-Integration-API-Key': apiKey }
  const email = 'another@example.com'
  if (turn % 10 !== 0) {
    return { method: 'GET', path: `/integration/customer-portal/subscription?email=${email}`, headers }
  }
  return {
    method: 'POST',
    path: '/integration/custom-action',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, action_id: 'join_waitlist_product_123' }),
  }
}
