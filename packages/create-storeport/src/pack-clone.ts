import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'
import { ProjectError } from './write-project.ts'

/** The tarball of a package, out of a clone. */
export interface PackedPackage {
  /** The name of its file. */
  readonly file: string
  /** What is in it. */
  readonly content: Uint8Array
}

interface Source {
  readonly folder: string
  readonly dependencies: readonly string[]
}

/** Throws UsageError when a folder is no clone of StorePort that can be built. */
export function checkClone(clone: string): void {
  if (!existsSync(join(clone, 'packages/create-storeport/package.json'))) {
    throw new UsageError(`--from: ${clone} is no clone of StorePort: it has no packages/create-storeport`)
  }
  if (!existsSync(join(clone, 'node_modules'))) {
    throw new UsageError(`--from: ${clone} has no node_modules: run npm ci there first`)
  }
}

/** Builds and packs packages of a clone, and those that they need, by name; throws ProjectError. */
export async function packClone(clone: string, names: readonly string[]): Promise<ReadonlyMap<string, PackedPackage>> {
  const sources = withNeeded(names, readSources(clone))
  const folders = [...sources.values()].map(({ folder }) => folder)
  const destination = mkdtempSync(join(tmpdir(), 'storeport-packed-'))
  try {
    await runNpm(clone, ['run', 'build:stale', '--', ...folders])
    const paths = folders.map((folder) => `./packages/${folder}`)
    await runNpm(clone, ['pack', '--pack-destination', destination, ...paths])
    const files = readdirSync(destination)
    return new Map(
      [...sources.keys()].map((name) => {
        const start = name.replace('@', '').replace('/', '-')
        const file = files.find((packed) => packed.startsWith(start) && /^-\d/.test(packed.slice(start.length)))
        if (file === undefined) throw new ProjectError(`npm pack made no tarball of ${name} in ${clone}`)
        return [name, { file, content: readFileSync(join(destination, file)) }]
      }),
    )
  } finally {
    rmSync(destination, { recursive: true, force: true })
  }
}

function readSources(clone: string): ReadonlyMap<string, Source> {
  return new Map(
    readdirSync(join(clone, 'packages')).map((folder) => {
      const text = readFileSync(join(clone, 'packages', folder, 'package.json'), 'utf8')
      const { name, dependencies = {} }: { name: string; dependencies?: object } = JSON.parse(text)
      return [name, { folder, dependencies: Object.keys(dependencies) }]
    }),
  )
}

/** The named packages and all that they depend on, of those that are there. */
function withNeeded(names: readonly string[], sources: ReadonlyMap<string, Source>): ReadonlyMap<string, Source> {
  const needed = new Map<string, Source>()
  const left = [...names]
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const source = sources.get(name)
    if (source === undefined || needed.has(name)) continue
    needed.set(name, source)
    left.push(...source.dependencies)
  }
  return needed
}

async function runNpm(cwd: string, words: readonly string[]): Promise<void> {
  // What npm tells the command that it runs is not meant for the npm that this one runs.
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (/^(?:npm_|INIT_CWD$)/i.test(name)) delete env[name]
  const shell = process.platform === 'win32'
  const child = spawn('npm', words, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = await once(child, 'close')
  if (code === 0) return
  const end = output.trimEnd().split('\n').slice(-20).join('\n')
  throw new ProjectError(`npm ${words[0]} failed in ${cwd}, and nothing was written:\n${end}`)
}
