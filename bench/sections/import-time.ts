import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { type BundleEntry, bundleEntries } from '../measure/bundle-entries.ts'
import { packedCore } from '../measure/packed-core.ts'
import { median, medianInterval } from '../measure/statistics.ts'
import { type Effort, type Section, withInterval } from '../report/section.ts'

const run = promisify(execFile)
const own: BundleEntry = 'StorePort, one endpoint'
const base: BundleEntry = 'zod/mini alone'
const reach = 8
const empty = 'nothing'
const again = 'nothing again (control)'

/** The time that a process takes longer when it imports the bundled core and makes an integration of it. */
export async function importTime({ full }: Effort): Promise<Section> {
  const folder = await packedCore()
  const files = new Map<string, string>()
  const entries = { [empty]: '', [again]: '', ...bundleEntries }
  for (const [name, contents] of Object.entries(entries)) files.set(name, await bundled(contents, folder, files.size))
  const times = new Map([...files.keys()].map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < (full ? 81 : 5); round++) {
    for (const [name, file] of files) times.get(name)?.push(await cpuOf(file))
  }
  const over = (name: string) => {
    const bases = times.get(empty) ?? []
    return (times.get(name) ?? []).map((time, index) => time - (bases[index] ?? Number.NaN))
  }
  const withBase = over(base)
  const differences = over(own).map((time, index) => time - (withBase[index] ?? Number.NaN))
  const [low, high] = medianInterval(differences)
  return {
    title: 'Import time',
    method:
      'CPU time of a Node process that imports the bundle and ends, over one that imports nothing, in milliseconds; ' +
      `median of ${times.get(empty)?.length} fresh processes of each, in turns; in brackets, where it lies in 95 of 100 ` +
      `cases (bootstrap). An empty one takes ${median(times.get(empty) ?? []).toFixed(0)} ms.`,
    columns: ['bundle', 'ms of CPU over nothing'],
    rows: [...files.keys()].filter((name) => name !== empty).map((name) => [name, resolved(over(name))]),
    findings: [
      {
        what: 'StorePort over zod/mini',
        reach: `≤ ${reach} ms`,
        measured: `${resolved(differences)} ms`,
        verdict: high <= reach ? 'reached' : low <= reach ? 'not resolved' : 'not reached',
      },
    ],
  }
}

/** The median of some times, in milliseconds. */
function resolved(times: readonly number[]): string {
  return withInterval(median(times), medianInterval(times), 1)
}

async function bundled(contents: string, folder: string, index: number): Promise<string> {
  await mkdir(join(folder, 'import'), { recursive: true })
  const outfile = join(folder, 'import', `${index}.mjs`)
  const options = { bundle: true, minify: true, format: 'esm', platform: 'node', target: 'node20' } as const
  await build({ ...options, stdin: { contents, resolveDir: folder }, outfile, logLevel: 'error' })
  return outfile
}

/** Milliseconds of CPU time that a process has taken when the module and all that it imports have run. */
async function cpuOf(file: string): Promise<number> {
  const program = `await import(${JSON.stringify(file)}); const { user, system } = process.cpuUsage(); console.log(user + system)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
  return Number(stdout) / 1000
}
