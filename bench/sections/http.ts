import { compare } from '../measure/compare.ts'
import { startServer } from '../measure/subject.ts'
import type { Effort, Section } from '../report/section.ts'
import { aheadOf, comparisonCharts, comparisonColumns, comparisonRows, ofTheLimit } from './comparison.ts'

const own = 'StorePort'
const fastify = 'Fastify, own schemas'

/** The Node adapter against hand-written node:http, and against what else one would take. */
export async function http({ full }: Effort): Promise<Section> {
  const comparison = {
    limit: { name: 'node:http by hand (the limit)', file: 'bench/servers/by-hand.ts' },
    variants: [
      { name: own, file: 'bench/servers/storeport.ts' },
      { name: 'StorePort with the retry guard', file: 'bench/servers/storeport-retries.ts' },
      { name: 'StorePort, serve()', file: 'bench/servers/storeport-serve.ts' },
      { name: fastify, file: 'bench/servers/fastify.ts' },
      { name: 'srvx, fetch handler by hand', file: 'bench/servers/srvx.ts' },
      { name: 'Hono on @hono/node-server', file: 'bench/servers/hono.ts' },
      { name: 'oRPC, OpenAPI', file: 'bench/servers/orpc.ts' },
      { name: 'Express', file: 'bench/servers/express.ts' },
    ],
    start: startServer,
    rounds: full ? 15 : 3,
    requests: full ? 20_000 : 2000,
  }
  const measured = await compare(comparison)
  return {
    title: 'Over HTTP, on node:http',
    method:
      `CPU time of the server process for one request, counted by the operating system; ${comparison.rounds} rounds of ` +
      `a fresh process of each variant, which take turns at lots of the ${comparison.requests} requests to each ` +
      'endpoint, after as many to both to warm up, over 16 kept ' +
      'connections without pipelining; median. Before the timing every variant has answered the same calls with the ' +
      'same bytes, or refused them with the same status. StorePort runs without its retry guard, which the others ' +
      'do not have, and in a row of its own with it. All share one store that answers at once.',
    columns: comparisonColumns,
    rows: comparisonRows(measured, comparison),
    findings: [...ofTheLimit(measured, own, 0.97), ...aheadOf(measured, own, fastify)],
    charts: comparisonCharts('HTTP', measured, comparison),
  }
}
