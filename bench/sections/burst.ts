import { type BurstResult, burst as sendBurst, lineCount } from '../measure/burst.ts'
import { collectGarbage } from '../measure/collect-garbage.ts'
import { compile } from '../measure/compile.ts'
import { processorTimes, stolenShare } from '../measure/processor-times.ts'
import { quantile } from '../measure/statistics.ts'
import { type ListeningProcess, startPort } from '../measure/subject.ts'
import type { Effort, Finding, Section } from '../report/section.ts'
import { readsWithClicks } from '../store/campaign-requests.ts'
import { type BenchDatabase, benchPostgres, benchSqlite } from '../store/databases.ts'
import { firstDay } from '../store/first-day.ts'

/** 1,000,000 emails, opened as people open them: about 165 reads in the busiest second. */
const peak = 165
/** How many such campaigns at once are to be served. */
const mostPeaks = 40
const reachMs = 50
const searchSeconds = 6
/** What comes before: V8 compiles a server for some tens of thousands of requests. */
const warmUp = { peaks: 20, seconds: 20 }

/** What comes to whom. */
interface Campaign {
  /** Processes of the server. */
  readonly hosts: number
  /** Every which request is a click; none where it is 0. */
  readonly clickEvery: number
}

const readsOnly: Campaign = { hosts: 1, clickEvery: 0 }
const withClicks: Campaign = { hosts: 1, clickEvery: 20 }
const twoHosts: Campaign = { hosts: 2, clickEvery: 0 }

/** The databases, and what is measured on each: a quick run has the first of the first only. */
const subjects = [
  { start: benchSqlite, campaigns: [readsOnly, withClicks, twoHosts] },
  { start: benchPostgres, campaigns: [readsOnly, withClicks, twoHosts] },
]

/** A burst at a rate, and what it cost. */
interface Outcome extends BurstResult {
  readonly peaks: number
  readonly p99: number
  /** Microseconds of CPU time for each request: of the servers, of the database's own processes, of the generator. */
  readonly microseconds: { readonly server: number; readonly database: number; readonly generator: number }
  /** Share of the time of all processors that the machine gave to somebody else. */
  readonly stolen: number
}

/** The campaign: requests that arrive at a fixed rate, whatever the server does. */
export async function burst({ full, customers }: Effort): Promise<Section> {
  const seconds = full ? 30 : 4
  const file = await compile('bench/servers/campaign.ts')
  const rows: string[][] = []
  const findings: Finding[] = []
  for (const { start, campaigns } of full ? subjects : subjects.slice(0, 1)) {
    const database = await start()
    try {
      const { store, url } = await database.open(customers, () => firstDay)
      await store.close()
      for (const campaign of full ? campaigns : campaigns.slice(0, 1)) {
        const run = await startCampaign(database, {
          file,
          url,
          customers,
          campaign,
          warmUpSeconds: full ? warmUp.seconds : 3,
        })
        const outcome = await (full ? findHighest(run.send, seconds) : run.send(mostPeaks / 2, seconds))
        await run.end()
        const name = nameOf(database, campaign)
        rows.push(rowOf(name, outcome))
        findings.push(findingOf(name, outcome, full))
      }
    } finally {
      await database.end()
    }
  }
  return {
    title: 'The campaign',
    method:
      `Open loop: requests at a fixed rate for ${seconds} s, each read of a subscription by another one of ` +
      `${customers.toLocaleString('en')} customers, each click an add of a product by another one, due at fixed times ` +
      'whatever the server does; the latency counts from when a request was due. serve() with the SQL store, over ' +
      `${lineCount} kept connections with one request at a time on each, as a proxy keeps them. ${peak} requests/s are the ` +
      'busiest second of a million emails. ' +
      (full
        ? `The rate is the highest that holds ${reachMs} ms at the 99th percentile, up to ${mostPeaks} times that, found by ` +
          `bisection with ${searchSeconds} s each, after ${warmUp.seconds} s at ${warmUp.peaks} times that to warm up. `
        : '') +
      'The load generator and the database share the cores of this machine with the server: µs of CPU are those of all ' +
      'three for each request, and the table also shows how late the generator itself was, and the share of the time of all ' +
      'processors that the host of this virtual machine gave to somebody else.',
    columns: [
      'what',
      'requests/s',
      `× ${peak}`,
      'p50, ms',
      'p99, ms',
      'generator late (p99), ms',
      'µs of CPU, server',
      'database',
      'generator',
      'stolen, %',
      'failures',
    ],
    rows,
    findings,
  }
}

/** Starts the servers of a campaign, and has them serve a while. */
async function startCampaign(
  database: BenchDatabase,
  of: {
    readonly file: string
    readonly url: string
    readonly customers: number
    readonly campaign: Campaign
    readonly warmUpSeconds: number
  },
) {
  const { file, url, customers, campaign, warmUpSeconds } = of
  const text = readsWithClicks(customers, campaign.clickEvery)
  const servers: ListeningProcess[] = []
  for (let host = 0; host < campaign.hosts; host++) servers.push(await startPort(file, { BENCH_STORE_URL: url }))
  const ports = servers.map(({ port }) => port)
  const cpuOf = async () => {
    const { user, system } = process.cpuUsage()
    let server = 0
    for (const each of servers) server += await each.cpu()
    return { server, database: await database.cpuElsewhere(), generator: user + system }
  }
  await sendBurst({ ports, perSecond: peak * warmUp.peaks, seconds: warmUpSeconds, text })
  return {
    send: async (peaks: number, seconds: number): Promise<Outcome> => {
      collectGarbage()
      const [before, timesBefore] = [await cpuOf(), processorTimes()]
      const result = await sendBurst({ ports, perSecond: peaks * peak, seconds, text })
      const [after, timesAfter] = [await cpuOf(), processorTimes()]
      const each = (name: keyof typeof after) => (after[name] - before[name]) / result.latencies.length
      const p99 = quantile(result.latencies, 0.99)
      const microseconds = { server: each('server'), database: each('database'), generator: each('generator') }
      return { ...result, peaks, p99, microseconds, stolen: stolenShare(timesBefore, timesAfter) }
    },
    end: async () => {
      for (const server of servers) await server.end()
    },
  }
}

/** Finds the highest rate that holds, and holds it for longer. */
async function findHighest(
  send: (peaks: number, seconds: number) => Promise<Outcome>,
  seconds: number,
): Promise<Outcome> {
  let [held, lost] = [1, mostPeaks + 1]
  for (let peaks = mostPeaks; lost - held > 1; peaks = Math.floor((held + lost) / 2)) {
    // Something else may have had a core for a moment: a rate has a second try.
    const isHeld = holds(await send(peaks, searchSeconds)) || holds(await send(peaks, searchSeconds))
    if (isHeld) held = peaks
    else lost = peaks
  }
  for (;;) {
    const outcome = await send(held, seconds)
    if (holds(outcome) || held === 1) return outcome
    held = Math.max(1, Math.floor(held * 0.9))
  }
}

function holds({ p99, failures, isGivenUp }: Outcome): boolean {
  return p99 < reachMs && failures === 0 && !isGivenUp
}

function nameOf(database: BenchDatabase, { hosts, clickEvery }: Campaign): string {
  const what = clickEvery === 0 ? 'reads' : `reads with ${100 / clickEvery} % clicks`
  return `${database.name}, ${what}${hosts === 1 ? '' : `, ${hosts} hosts`}`
}

function rowOf(name: string, outcome: Outcome): string[] {
  const { peaks, latencies, p99, lateness, microseconds, stolen, failures } = outcome
  const { server, database, generator } = microseconds
  return [
    name,
    (peaks * peak).toLocaleString('en'),
    String(peaks),
    quantile(latencies, 0.5).toFixed(1),
    p99.toFixed(1),
    lateness.toFixed(1),
    server.toFixed(0),
    database === 0 ? '' : database.toFixed(0),
    generator.toFixed(0),
    (stolen * 100).toFixed(1),
    String(failures),
  ]
}

function findingOf(name: string, outcome: Outcome, full: boolean): Finding {
  const { peaks, p99, lateness } = outcome
  const rate = (count: number) => `${(count * peak).toLocaleString('en')}/s`
  const wanted = full ? mostPeaks : peaks
  const isReached = holds(outcome) && peaks >= wanted
  const isGeneratorLate = !outcome.isGivenUp && p99 - lateness < reachMs && peaks >= wanted
  return {
    what: `${name}: rate with p99 < ${reachMs} ms`,
    reach: `≥ ${rate(wanted)}`,
    measured: `${rate(peaks)}, p99 ${p99.toFixed(1)} ms`,
    verdict: isReached ? 'reached' : isGeneratorLate ? 'not resolved' : 'not reached',
  }
}
