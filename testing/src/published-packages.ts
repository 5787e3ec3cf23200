import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { oncePerRun } from './once-per-run.ts'

/** Fields of the package.json of a published package. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, object>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Lists the packages that npm publishes, each with its folder relative to the root. */
export function listPublishedPackages(): readonly (Manifest & { readonly folder: string })[] {
  return readdirSync('packages')
    .map((name) => {
      const manifest: Manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
      return { ...manifest, folder: `packages/${name}` }
    })
    .filter((manifest) => manifest.private !== true)
}

/** Packs the published packages once per run, as npm publishes them. Returns the paths of the archives by name. */
export async function packPackages(): Promise<ReadonlyMap<string, string>> {
  const published = listPublishedPackages()
  const packed = await oncePerRun('storeport-packed', async (destination) => {
    const folders = published.map(({ folder }) => `./${folder}`)
    const args = ['pack', '--json', '--pack-destination', destination, ...folders]
    await promisify(execFile)('npm', args, { maxBuffer: 2 ** 26 })
  })
  const fileOf = (name: string, version: string) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
  return new Map(published.map(({ name, version }) => [name, join(packed, fileOf(name, version))]))
}
