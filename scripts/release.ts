import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { atVersion, type Versions } from './at-version.ts'

/**
 * `release.ts version 1.2.3` sets the version of every package, to be reviewed and committed. `release.ts` alone makes sure
 * that what is committed can be published, and prints it; `--publish` publishes it.
 */
const [task = '--dry-run', wanted = '', ...others] = process.argv.slice(2)
const folders = ['packages', 'examples'].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
const workspaces = folders.filter((folder) => existsSync(`${folder}/package.json`)).map(readWorkspace)
const names = new Set(workspaces.map(({ manifest }) => manifest.name ?? ''))

if (task === 'version' && others.length === 0) setVersions(wanted)
else if ((task === '--dry-run' || task === '--publish') && wanted === '') release(task === '--publish')
else end('usage: release.ts version <version> | release.ts [--dry-run | --publish]')

function setVersions(version: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version))
    end(`version: ${JSON.stringify(version)} is none, such as 1.2.3`)
  for (const { folder, manifest } of workspaces) write(`${folder}/package.json`, atVersion(manifest, version, names))
  const lock: { readonly packages: Readonly<Record<string, Versions>> } = read('package-lock.json')
  const entries = Object.entries(lock.packages).map(([path, entry]) => {
    return [path, workspaces.some(({ folder }) => folder === path) ? atVersion(entry, version, names) : entry] as const
  })
  write('package-lock.json', { ...lock, packages: Object.fromEntries(entries) })
  console.log(`${workspaces.length} packages are at ${version}: review and commit that, then run release.ts`)
}

function release(publish: boolean): void {
  const [version = '', ...more] = new Set(workspaces.map(({ manifest }) => manifest.version ?? ''))
  if (more.length > 0)
    end(`the packages are not in step (${[version, ...more].join(', ')}): run release.ts version <version>`)
  for (const { folder, manifest } of workspaces) {
    const outdated = JSON.stringify(atVersion(manifest, version, names)) !== JSON.stringify(manifest)
    if (outdated) end(`${folder} depends on another version than ${version}: run release.ts version ${version}`)
  }
  const changes = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout
  if (changes !== '') end(`the tree is not clean: commit or take back\n${changes}`)
  run('npm', ['run', 'build'])
  run('npx', ['tsx', 'scripts/check-packages.ts'])
  const published = workspaces.filter(({ manifest }) => manifest.private !== true)
  const words = published.flatMap(({ folder }) => ['--workspace', folder])
  // npm wants a tag of its own for what comes before a release.
  const tag = version.includes('-') ? ['--tag', 'next'] : []
  run('npm', ['publish', '--access', 'public', ...tag, ...words, ...(publish ? ['--provenance'] : ['--dry-run'])])
  console.log(publish ? 'published:' : 'would be published by --publish:')
  for (const { manifest } of published) console.log(`  ${manifest.name}@${version}`)
}

function readWorkspace(folder: string): { readonly folder: string; readonly manifest: Versions } {
  return { folder, manifest: read(`${folder}/package.json`) }
}

function read(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function write(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, { stdio: 'inherit' })
  if (status !== 0) end(`${command} ${words.join(' ')} failed`)
}

function end(message: string): never {
  console.error(`release: ${message}`)
  process.exit(1)
}
