import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from './usage-error.ts'
import { ProjectError } from './write-project.ts'

interface Source {
  readonly folder: string
  readonly dependencies: readonly string[]
}

/** Throws UsageError if a folder is not a clone of StorePort with installed dependencies. */
export function checkClone(clone: string): void {
  if (!existsSync(join(clone, 'packages/create-storeport/package.json'))) {
    throw new UsageError(`--from: ${clone} is not a clone of StorePort: packages/create-storeport is missing`)
  }
  if (!existsSync(join(clone, 'node_modules'))) {
    throw new UsageError(`--from: ${clone} has no node_modules. Run npm ci in this folder first.`)
  }
}

/**
 * Builds and packs packages of a clone, with their dependencies in the clone. Returns the file name and the content of
 * each tarball. Throws ProjectError if npm fails.
 */
export async function packClone(clone: string, names: readonly string[]) {
  const sources = withDependencies(names, readSources(clone))
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
        if (file === undefined) throw new ProjectError(`npm pack did not create a tarball of ${name} in ${clone}`)
        return [name, { file, content: readFileSync(join(destination, file)) }] as const
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

/** Returns the named packages and their dependencies within the clone. */
function withDependencies(names: readonly string[], sources: ReadonlyMap<string, Source>): ReadonlyMap<string, Source> {
  const selected = new Map<string, Source>()
  const left = [...names]
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const source = sources.get(name)
    if (source === undefined || selected.has(name)) continue
    selected.set(name, source)
    left.push(...source.dependencies)
  }
  return selected
}

async function runNpm(cwd: string, args: readonly string[]): Promise<void> {
  // Removes the environment variables of a parent npm process, which would change the behavior of this npm process.
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (/^(?:npm_|INIT_CWD$)/i.test(name)) delete env[name]
  const shell = process.platform === 'win32'
  const child = spawn('npm', args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = await once(child, 'close')
  if (code === 0) return
  const end = output.trimEnd().split('\n').slice(-20).join('\n')
  throw new ProjectError(`npm ${args[0]} failed in ${cwd}. Nothing was written.\n${end}`)
}
