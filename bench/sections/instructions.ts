import { compile } from '../measure/compile.ts'
import { canCountInstructions, countInstructions } from '../measure/count-instructions.ts'
import { timedEndpointNames } from '../measure/requests.ts'
import type { Effort, Section } from '../report/section.ts'

const limit = 'by hand (the limit)'
const variants = [
  { name: `${limit}, again (control)`, file: 'bench/plain/by-hand.ts' },
  { name: limit, file: 'bench/plain/by-hand.ts' },
  { name: 'StorePort without the retry guard', file: 'bench/plain/storeport.ts' },
  { name: 'StorePort as it comes', file: 'bench/plain/storeport-retries.ts' },
]

/** How many instructions a call takes: a count, which no other process and no memory layout disturbs. */
export async function instructions({ full }: Effort): Promise<Section> {
  const rows: string[][] = []
  if (full && canCountInstructions) {
    const nothing = await countAll('bench/plain/nothing.ts')
    const counts = []
    for (const { name, file } of variants) counts.push({ name, each: minus(await countAll(file), nothing) })
    const byHand = counts.find(({ name }) => name === limit)?.each ?? []
    for (const { name, each } of counts) {
      rows.push([
        name,
        ...each.flatMap((count, index) => [thousands(count), ((byHand[index] ?? NaN) / count).toFixed(3)]),
      ])
    }
  }
  return {
    title: 'Instructions of a call',
    method:
      'From plain call to plain answer, without a server: instructions of a process on one thread for one call, counted by ' +
      'callgrind as the difference between 16,000 and 32,000 calls; what making the calls takes is taken off. Garbage ' +
      'collection and what V8 still compiles by then are in it. Only in the full run, and where valgrind is installed.',
    columns: ['variant', ...timedEndpointNames.flatMap((name) => [`${name}, thousands`, 'of the limit'])],
    rows,
    findings: [],
  }
}

async function countAll(file: string): Promise<number[]> {
  const program = await compile(file)
  const counts: number[] = []
  for (const name of timedEndpointNames) counts.push(await countInstructions(program, name))
  return counts
}

function minus(counts: readonly number[], others: readonly number[]): number[] {
  return counts.map((count, index) => count - (others[index] ?? Number.NaN))
}

function thousands(count: number): string {
  return (count / 1000).toFixed(1)
}
