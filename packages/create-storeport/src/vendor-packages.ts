import type { PackedPackage } from './pack-clone.ts'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Returns the names of the StorePort packages that a project depends on. */
export function listOwnPackages(files: ReadonlyMap<string, string>): readonly string[] {
  const { dependencies, devDependencies } = readManifest(files)
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith('@storeport/'))
}

/** Adds tarballs to `vendor/`. Lists each tarball in package.json, so that npm does not download StorePort packages. */
export function vendorPackages(
  files: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, PackedPackage>,
): ReadonlyMap<string, string | Uint8Array> {
  const manifest = readManifest(files)
  const locations = [...packages].map(([name, { file }]): [string, string] => [name, `file:vendor/${file}`])
  const isTool = (name: string) => name in manifest.devDependencies
  const vendored = {
    ...manifest,
    dependencies: add(
      manifest.dependencies,
      locations.filter(([name]) => !isTool(name)),
    ),
    devDependencies: add(
      manifest.devDependencies,
      locations.filter(([name]) => isTool(name)),
    ),
  }
  return new Map<string, string | Uint8Array>([
    ...files,
    ['package.json', `${JSON.stringify(vendored, null, 2)}\n`],
    ...[...packages.values()].map(({ file, content }): [string, Uint8Array] => [`vendor/${file}`, content]),
  ])
}

function add(ranges: Readonly<Record<string, string>>, locations: readonly [string, string][]): Record<string, string> {
  const all = Object.entries({ ...ranges, ...Object.fromEntries(locations) })
  return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function readManifest(files: ReadonlyMap<string, string>): Manifest {
  return JSON.parse(files.get('package.json') ?? '{}')
}
