import { readFile, writeFile } from 'node:fs/promises'
import { chartsOf } from './charts.ts'
import { pageOf } from './page.ts'
import type { Result } from './result.ts'

/** The results by the names of their sections. */
export type Results = Record<string, Result>

const file = 'bench/results.json'

/** What earlier runs came to. */
export async function readResults(): Promise<Results> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Keeps the results, and makes the page and the chart of the docs out of them. */
export async function writeResults(results: Results, order: readonly string[]): Promise<void> {
  const known = order.flatMap((name) => results[name] ?? [])
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile('docs/benchmarks.svg', chartsOf(known.flatMap(({ charts }) => charts ?? [])))
  await writeFile('docs/benchmarks.md', await pageOf(known))
}
