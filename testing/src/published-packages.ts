import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

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

/** Packs the published packages into a folder, as npm publishes them. Returns the paths of the archives by name. */
export async function packPackages(destination: string): Promise<ReadonlyMap<string, string>> {
  const folders = listPublishedPackages().map(({ folder }) => `./${folder}`)
  const args = ['pack', '--json', '--pack-destination', destination, ...folders]
  const { stdout } = await promisify(execFile)('npm', args, { maxBuffer: 2 ** 26 })
  const packed: readonly { filename: string; name: string }[] = Object.values(JSON.parse(stdout))
  return new Map(
    packed.map(({ name, filename }) => [name, join(destination, filename.replace('@', '').replace('/', '-'))]),
  )
}
