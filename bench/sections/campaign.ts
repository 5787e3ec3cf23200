import { activeCustomers, onEach } from '../databases.ts'
import { burst, type BurstResult, lineCount } from '../measure/load.ts'
import { type BenchProcess, compile, startProcess } from '../measure/processes.ts'
import { getSubscription, post, wireText } from '../measure/requests.ts'
import { quantile } from '../measure/statistics.ts'
import type { Effort, Section } from '../report.ts'
import { firstDay } from '../shop.ts'

/** Number of read requests in the busiest second after an email to 1,000,000 customers. */
const peak = 165
/** Request rates to test, as multiples of `peak`. */
const peaks = [40, 32, 26, 20, 16, 13, 10, 8, 6, 4, 2, 1]
const limitMs = 50

/**
 * Loads to test: number of server processes (`hosts`), and number of requests per click (`clickEvery`; 0 for no
 * clicks).
 */
const campaigns = [
  { hosts: 1, clickEvery: 0 },
  { hosts: 1, clickEvery: 20 },
  { hosts: 2, clickEvery: 0 },
]

/** Measures the highest request rate at which the 99th percentile latency is below `limitMs` and no request fails. */
export async function campaign({ full, customers }: Effort): Promise<Section> {
  const seconds = full ? 30 : 4
  const file = await compile('sql-server')
  return {
    title: 'The campaign',
    method:
      `Requests at a fixed rate for ${seconds} s (open loop), from ${customers.toLocaleString('en')} customers; a click adds ` +
      `a product. serve() with the SQL store, over ${lineCount} keep-alive connections. ${peak} requests/s are the busiest second ` +
      `of a million emails. The rate is the highest of ${peaks.map((each) => each * peak).join(', ')} with a 99th percentile ` +
      `below ${limitMs} ms. "Late" is the delay of the load generator.`,
    columns: ['load', 'requests/s', 'p50, ms', 'p99, ms', 'late (p99), ms', 'failures'],
    rows: await onEach(full, async ({ name, open }) => {
      const { store, url } = await open(customers, () => firstDay)
      await store.close()
      const rows: string[][] = []
      for (const { hosts, clickEvery } of full ? campaigns : campaigns.slice(0, 1)) {
        const servers: BenchProcess[] = []
        try {
          while (servers.length < hosts) servers.push(await startProcess(file, { BENCH_DATABASE: url }, false))
          const ports = servers.map(({ port }) => port)
          const textOf = requestsOf(customers, clickEvery)
          // Warms up, because V8 optimizes a server's code during the first tens of thousands of requests.
          await burst(ports, 20 * peak, full ? 20 : 4, textOf)
          const requests = clickEvery === 0 ? 'reads' : `reads with ${100 / clickEvery} % clicks`
          const load = `${name}, ${requests}${hosts === 1 ? '' : `, ${hosts} hosts`}`
          rows.push([load, ...(await findHighest((perSecond) => burst(ports, perSecond, seconds, textOf)))])
        } finally {
          for (const server of servers) await server.end()
        }
      }
      return rows
    }),
  }
}

/** Returns a function that creates requests. Creates read requests in advance, to save CPU time under load. */
function requestsOf(customers: number, clickEvery: number): (turn: number) => string {
  const count = Math.min(50_000, Math.floor(customers / 2))
  const reads = activeCustomers(count, customers, 1).map((email) => wireText(getSubscription(email)))
  const clicking = clickEvery === 0 ? [] : activeCustomers(count, customers, 2)
  const products = ['test_12345', 'test_67890', 'test_54321']
  let clicks = 0
  return (turn) => {
    if (clickEvery === 0 || turn % clickEvery !== 0) return reads[turn % reads.length] ?? ''
    const email = clicking[clicks % clicking.length]
    // Each click of a customer adds a different product, so that the click is not a repeat.
    const product_id = products[Math.floor(clicks / clicking.length) % products.length]
    clicks += 1
    return wireText(post('upsells/add-product', { email, product_id, quantity: 1, one_time: false }))
  }
}

/**
 * Returns the table cells for the highest rate that meets the limit. If no rate does, returns the cells for the lowest
 * rate.
 */
async function findHighest(send: (perSecond: number) => Promise<BurstResult>): Promise<string[]> {
  let cells: string[] = []
  for (const each of peaks) {
    const { latencies, lateness, failures } = await send(each * peak)
    const p99 = quantile(latencies, 0.99)
    const times = [quantile(latencies, 0.5), p99, lateness].map((milliseconds) => milliseconds.toFixed(1))
    cells = [(each * peak).toLocaleString('en'), ...times, String(failures)]
    if (p99 < limitMs && failures === 0) break
  }
  return cells
}
