import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'

/** A section of the benchmark with its results. */
export interface Section {
  readonly title: string
  /** Description of the measurement. */
  readonly method: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A section with the date, the settings and the machine of its run. */
export interface Result extends Section {
  readonly measured: string
  /** Note about a limitation of these results. The next run removes the note. */
  readonly note?: string
}

/** Results by section name. */
export type Results = Record<string, Result>

/** Size of a benchmark run. */
export interface Effort {
  readonly full: boolean
  /** Number of customers in the large store. */
  readonly customers: number
}

const resultsFile = 'bench/results.json'

/** Adds the date, kind of run, Node version and machine to a section. */
export function resultOf(section: Section, { full }: Effort): Result {
  const date = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GB, load ${loadavg()[0]?.toFixed(1)}`
  return { ...section, measured: `${date}, ${full ? 'full' : 'quick'} run, Node ${process.versions.node}, ${machine}` }
}

/** Returns the name and the version of an installed package. */
export function withVersion(name: string): string {
  const manifest: { version: string } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))
  return `${name} ${manifest.version}`
}

/** Reads the results of earlier runs. */
export async function readResults(): Promise<Results> {
  return JSON.parse(await readFile(resultsFile, 'utf8'))
}

/** Writes the results and `docs/benchmarks.md`. */
export async function writeResults(results: Results): Promise<void> {
  await writeFile(resultsFile, `${JSON.stringify(results, null, 2)}\n`)
  await writeFile('docs/benchmarks.md', await pageOf(results))
}

/** Returns the text of `bench/notes.md` with the results inserted. */
export async function pageOf(results: Results): Promise<string> {
  const notes = await readFile('bench/notes.md', 'utf8')
  return notes.replace('<!-- results -->', () => Object.values(results).map(markdownOf).join('\n\n'))
}

/** Formats a result as Markdown. */
export function markdownOf({ title, columns, rows, note, method, measured }: Result): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const remarks = note === undefined ? [method] : [`**${note}**`, method]
  return [`## ${title}`, lines.join('\n'), ...remarks, `Measured: ${measured}.`].join('\n\n')
}
