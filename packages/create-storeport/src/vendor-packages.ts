import { sortByName } from './manifest.ts'
import { packClone } from './pack-clone.ts'

/**
 * Packs the StorePort packages of a project in a clone, and adds them to `vendor/`. Lists each tarball in package.json, so
 * that npm does not download StorePort packages.
 */
export async function vendorPackages(
  files: ReadonlyMap<string, string>,
  clone: string,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const manifest: Record<'dependencies' | 'devDependencies', object> = JSON.parse(files.get('package.json') ?? '{}')
  const { dependencies, devDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.startsWith('@storeport/'))
  const packages = await packClone(clone, names)
  const locate = (ranges: object, areTools: boolean) => {
    const own = [...packages].filter(([name]) => name in devDependencies === areTools)
    const locations = own.map(([name, { file }]) => [name, `file:vendor/${file}`])
    return sortByName(Object.entries({ ...ranges, ...Object.fromEntries(locations) }))
  }
  const vendored = {
    ...manifest,
    dependencies: locate(dependencies, false),
    devDependencies: locate(devDependencies, true),
  }
  return new Map<string, string | Uint8Array>([
    ...files,
    ['package.json', `${JSON.stringify(vendored, null, 2)}\n`],
    ...[...packages.values()].map(({ file, content }): [string, Uint8Array] => [`vendor/${file}`, content]),
  ])
}
