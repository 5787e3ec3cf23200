import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readReleaseSettings, repositoryFields, writeReleaseSettings } from './release-settings.ts'

/** Fields of a package.json, or of a package's entry in a lock file, that a release reads or changes. */
interface Versions {
  readonly name?: string
  readonly version?: string
  /** Whether npm must not publish the package. */
  readonly private?: boolean
  /** Version ranges, by package name, of packages that are installed with this package. */
  readonly dependencies?: Readonly<Record<string, string>>
  /** Version ranges, by package name, of packages for development. */
  readonly devDependencies?: Readonly<Record<string, string>>
  /** Version ranges, by package name, of packages that the user installs. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/**
 * `release.ts settings` stores the repository and the contact for vulnerability reports. `release.ts version 1.2.3`
 * sets the version of all packages and dates the changelog. Review and commit the changes of both commands. Without
 * arguments, `release.ts` checks the packages and prints what it would publish. `--publish` publishes the packages.
 */
const [task = '--dry-run', wanted = '', ...others] = process.argv.slice(2)
const folders = ['packages', 'examples'].flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
const workspaces = folders.filter((folder) => existsSync(`${folder}/package.json`)).map(readWorkspace)
const names = new Set(workspaces.map(({ manifest }) => manifest.name ?? ''))

if (task === 'version' && others.length === 0) setVersions(wanted)
else if ((task === '--dry-run' || task === '--publish') && wanted === '') release(task === '--publish')
else if (task === 'settings') setSettings(process.argv.slice(3))
else {
  end(
    'usage: release.ts settings --repository <https://…> --security-contact <email or https://…> | release.ts version <version> | release.ts [--dry-run | --publish]',
  )
}

function setSettings(words: string[]): void {
  try {
    const text = { type: 'string', default: '' } as const
    const { values } = parseArgs({ args: words, options: { repository: text, 'security-contact': text } })
    writeReleaseSettings({ repository: values.repository, securityContact: values['security-contact'] })
  } catch (error) {
    end(error instanceof Error ? error.message : String(error))
  }
  for (const { folder, manifest } of workspaces) {
    if (manifest.private !== true) write(`${folder}/package.json`, withRepository(folder, manifest))
  }
  console.log('Updated release.json and the packages. Run npm run docs, then review and commit the changes.')
}

/** Adds the repository fields to a manifest, before the license, in the order that npm uses. */
function withRepository(folder: string, manifest: Versions): Versions {
  const fields = repositoryFields(readReleaseSettings(), folder)
  const rest = Object.entries(manifest).filter(([name]) => !(name in fields))
  const place = rest.findIndex(([name]) => name === 'license')
  return Object.fromEntries([...rest.slice(0, place), ...Object.entries(fields), ...rest.slice(place)])
}

function setVersions(version: string): void {
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version))
    end(`version: ${JSON.stringify(version)} is not a version such as 1.2.3.`)
  const changelog = datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, new Date())
  if (changelog === undefined)
    end('CHANGELOG.md has nothing under "Unreleased". Describe the changes that users notice.')
  writeFileSync('CHANGELOG.md', changelog)
  for (const { folder, manifest } of workspaces) write(`${folder}/package.json`, atVersion(manifest, version, names))
  const lock: { readonly packages: Readonly<Record<string, Versions>> } = read('package-lock.json')
  const entries = Object.entries(lock.packages).map(([path, entry]) => {
    return [path, workspaces.some(({ folder }) => folder === path) ? atVersion(entry, version, names) : entry] as const
  })
  write('package-lock.json', { ...lock, packages: Object.fromEntries(entries) })
  console.log(`${workspaces.length} packages are at ${version}. Review and commit the changes, then run release.ts.`)
}

function release(publish: boolean): void {
  const [version = '', ...more] = new Set(workspaces.map(({ manifest }) => manifest.version ?? ''))
  if (more.length > 0)
    end(`The packages have different versions (${[version, ...more].join(', ')}). Run release.ts version <version>.`)
  for (const { folder, manifest } of workspaces) {
    const outdated = JSON.stringify(atVersion(manifest, version, names)) !== JSON.stringify(manifest)
    if (outdated) end(`${folder} depends on another version than ${version}. Run release.ts version ${version}.`)
  }
  const settings = readReleaseSettings()
  if (publish && settings === undefined) {
    end(
      '--publish requires the URL of the repository to sign the packages. Run release.ts settings --repository <https://…> --security-contact <email or https://…>.',
    )
  }
  for (const { folder, manifest } of workspaces) {
    const outdated = JSON.stringify(withRepository(folder, manifest)) !== JSON.stringify(manifest)
    if (manifest.private !== true && outdated)
      end(`${folder} names another repository than release.json. Run release.ts settings.`)
  }
  const changes = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout
  if (changes !== '') end(`The working tree has uncommitted changes. Commit or revert them:\n${changes}`)
  run('npm', ['run', 'build'])
  run('npx', ['tsx', 'scripts/check-packages.ts'])
  const published = workspaces.filter(({ manifest }) => manifest.private !== true)
  const words = published.flatMap(({ folder }) => ['--workspace', folder])
  // npm requires an explicit dist-tag for a prerelease.
  const tag = version.includes('-') ? ['--tag', 'next'] : []
  run('npm', ['publish', '--access', 'public', ...tag, ...words, ...(publish ? ['--provenance'] : ['--dry-run'])])
  console.log(publish ? 'Published:' : '--publish would publish:')
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

/** Returns a copy of a manifest with the given version, also for the dependencies in `names`. */
function atVersion<Manifest extends Versions>(
  manifest: Manifest,
  version: string,
  workspaceNames: ReadonlySet<string>,
): Manifest {
  const changed = (['dependencies', 'devDependencies', 'peerDependencies'] as const).flatMap((kind) => {
    const ranges = manifest[kind]
    if (ranges === undefined) return []
    return [
      [
        kind,
        Object.fromEntries(
          Object.entries(ranges).map(([name, range]) => [name, workspaceNames.has(name) ? version : range]),
        ),
      ],
    ]
  })
  return { ...manifest, version, ...Object.fromEntries(changed) }
}

/** Moves the unreleased changes under a heading with version and date; returns `undefined` if there are no changes. */
function datedChangelog(text: string, version: string, date: Date): string | undefined {
  const heading = '## Unreleased\n'
  const [before = '', after] = text.split(heading)
  const news = after?.split(/^## /m)[0]?.trim() ?? ''
  if (after === undefined || news === '') return undefined
  return `${before}${heading}\n## ${version} (${date.toISOString().slice(0, 10)})\n${after}`
}
