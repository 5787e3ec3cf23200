import { compare } from '../measure/compare.ts'
import { startHandler } from '../measure/subject.ts'
import type { Effort, Section } from '../report/section.ts'
import { comparisonCharts, comparisonColumns, comparisonRows, ofTheLimit } from './comparison.ts'

const own = 'StorePort, integration.fetch'

/** The fetch handler in process against a plain one by hand. */
export async function fetch({ full }: Effort): Promise<Section> {
  const comparison = {
    limit: { name: 'fetch handler by hand (the limit)', file: 'bench/calls/by-hand.ts' },
    variants: [
      { name: own, file: 'bench/calls/storeport.ts' },
      { name: 'StorePort with the retry guard', file: 'bench/calls/storeport-retries.ts' },
      { name: 'Hono', file: 'bench/calls/hono.ts' },
      { name: 'oRPC, OpenAPI', file: 'bench/calls/orpc.ts' },
    ],
    start: startHandler,
    rounds: full ? 20 : 2,
    mostRounds: full ? 30 : 2,
    requests: 3000,
    warmUp: full ? 20_000 : 6000,
  }
  const measured = await compare(comparison)
  return {
    title: 'In process, from Request to Response',
    method:
      'As over HTTP, without a socket: CPU time of the handler and of reading its Response; the Requests are made ' +
      `beforehand. ${comparison.rounds} to ${comparison.mostRounds} rounds of a fresh process of each variant, ${comparison.requests} calls each.`,
    columns: comparisonColumns,
    rows: comparisonRows(measured, comparison),
    findings: ofTheLimit(measured, own, { 'GET subscription': 0.95, 'POST delay': 0.95 }),
    charts: comparisonCharts('In process', measured, comparison),
  }
}
