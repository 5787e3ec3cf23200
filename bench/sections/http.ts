import { compare } from '../measure/compare.ts'
import { startServer } from '../measure/subject.ts'
import type { Effort, Section } from '../report/section.ts'
import { aheadOf, comparisonCharts, comparisonColumns, comparisonRows, ofTheLimit } from './comparison.ts'

const asItComes = 'StorePort as it comes: serve(), retry guard in memory'
const adapter = 'StorePort, toNodeListener, no guard'
const served = 'StorePort, serve(), no guard'
const fastify = 'Fastify, own schemas'

/** What a user gets against hand-written node:http, what the guard and the server are of it, and what else one would take. */
export async function http({ full }: Effort): Promise<Section> {
  const limit = { name: 'node:http by hand (the limit)', file: 'bench/servers/by-hand.ts' }
  const own = {
    limit,
    variants: [
      { name: asItComes, file: 'bench/servers/storeport-default.ts' },
      { name: served, file: 'bench/servers/storeport-serve.ts' },
      { name: 'StorePort, toNodeListener, retry guard in memory', file: 'bench/servers/storeport-retries.ts' },
      { name: adapter, file: 'bench/servers/storeport.ts' },
    ],
    start: startServer,
    rounds: full ? 20 : 2,
    mostRounds: full ? 30 : 2,
    requests: 3000,
    warmUp: full ? 20_000 : 6000,
  }
  const others = {
    limit,
    variants: [
      { name: fastify, file: 'bench/servers/fastify.ts' },
      { name: 'srvx, fetch handler by hand', file: 'bench/servers/srvx.ts' },
      { name: 'Hono on @hono/node-server', file: 'bench/servers/hono.ts' },
      { name: 'oRPC, OpenAPI', file: 'bench/servers/orpc.ts' },
      { name: 'Express', file: 'bench/servers/express.ts' },
    ],
    start: startServer,
    rounds: full ? 7 : 2,
    requests: full ? 3000 : 1000,
    warmUp: full ? 8000 : 2000,
  }
  // The first to be found of the limit and the control are those that were measured longer.
  const measured = [...(await compare(own)), ...(await compare(others))]
  const all = { ...own, variants: [...own.variants, ...others.variants] }
  return {
    title: 'Over HTTP, on node:http',
    method:
      'CPU time of the server process for one request, counted by the operating system; rounds of a fresh process of ' +
      `each variant, which take turns at lots of ${own.requests / 10} requests, after ${own.warmUp} to each endpoint to ` +
      'warm up, over 16 kept connections without pipelining. The server has a processor of its own where there are two ' +
      'and the load is made on the other. Ratios are medians over the rounds; in brackets, where they lie in 95 of 100 ' +
      `cases (bootstrap). ${own.rounds} rounds for StorePort, and up to ${own.mostRounds} until that is ± 0.02; ` +
      `${others.rounds} for the others. Before the timing every variant has answered the same calls with the same ` +
      'bytes, or refused them with the same status. The retry guard, by which a click counts once, nobody else has. All ' +
      'share one store that answers at once.',
    columns: comparisonColumns,
    rows: comparisonRows(measured, all),
    findings: [
      ...ofTheLimit(measured, asItComes, { 'GET subscription': 0.95, 'POST delay': 0.85 }),
      ...ofTheLimit(measured, adapter, { 'GET subscription': 0.97, 'POST delay': 0.97 }),
      ...aheadOf(measured, asItComes, fastify),
    ],
    charts: comparisonCharts('HTTP', measured, all),
  }
}
