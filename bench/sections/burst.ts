import { burst as sendBurst } from '../measure/burst.ts'
import { collectGarbage } from '../measure/collect-garbage.ts'
import { compile } from '../measure/compile.ts'
import type { RawRequest } from '../measure/requests.ts'
import { quantile } from '../measure/statistics.ts'
import { startPort } from '../measure/subject.ts'
import type { Effort, Finding, Section } from '../report/section.ts'
import { apiKey } from '../shop.ts'
import { activeCustomers } from '../store/calls.ts'
import { firstDay } from '../store/first-day.ts'
import { benchPostgres, benchSqlite } from '../store/databases.ts'

/** 1,000,000 emails, opened as people open them: about 165 reads in the busiest second; twenty times that. */
const perSecond = 20 * 165

const reach = 50

/** The campaign: reads that arrive at a fixed rate, whatever the server does. */
export async function burst({ full, customers }: Effort): Promise<Section> {
  const seconds = full ? 60 : 4
  const file = await compile('bench/servers/campaign.ts')
  const rows: string[][] = []
  const findings: Finding[] = []
  for (const start of [benchSqlite, benchPostgres]) {
    const database = await start()
    try {
      const { store, url } = await database.open(customers, () => firstDay)
      await store.close()
      const server = await startPort(file, { BENCH_STORE_URL: url })
      const emails = activeCustomers(Math.min(50_000, Math.floor(customers / 2)), customers, 1)
      const request = (turn: number) => read(emails[turn % emails.length] ?? '')
      await sendBurst(server.port, perSecond / 4, 3, request)
      collectGarbage()
      const before = await server.cpu()
      const { latencies, answersPerSecond, failures, lateness } = await sendBurst(
        server.port,
        perSecond,
        seconds,
        request,
      )
      const cpu = (await server.cpu()) - before
      await server.end()
      const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
      rows.push([
        database.name,
        customers.toLocaleString('en'),
        answersPerSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        lateness.toFixed(1),
        (cpu / latencies.length).toFixed(0),
        String(failures),
      ])
      findings.push({
        what: `${database.name}, ${perSecond.toLocaleString('en')} reads/s, p99`,
        reach: `< ${reach} ms`,
        measured: `${p99.toFixed(1)} ms at ${answersPerSecond.toFixed(0)}/s`,
        verdict:
          p99 < reach && failures === 0
            ? 'reached'
            : p99 - lateness < reach && failures === 0
              ? 'not resolved'
              : 'not reached',
      })
    } finally {
      await database.end()
    }
  }
  return {
    title: 'The campaign',
    method:
      `Open loop: ${perSecond.toLocaleString('en')} reads of a subscription a second for ${seconds} s, each of another ` +
      'customer, due at fixed times whatever the server does; the latency counts from when a request was due. serve() ' +
      'with the SQL store in one process, over real connections with one request at a time on each. The load generator ' +
      'and the database share the cores of this machine with it; the table also shows how late the generator itself was.',
    columns: [
      'database',
      'customers',
      'answers/s',
      'p50, ms',
      'p99, ms',
      'generator late (p99), ms',
      'µs of CPU of the server',
      'failures',
    ],
    rows,
    findings,
  }
}

function read(email: string): RawRequest {
  const path = `/integration/customer-portal/subscription?email=${encodeURIComponent(email)}`
  return { method: 'GET', path, headers: { 'X-Integration-API-Key': apiKey } }
}
