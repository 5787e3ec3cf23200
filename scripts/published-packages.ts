import { readdirSync, readFileSync } from 'node:fs'

/** A package that npm publishes. */
export interface PublishedPackage {
  /** Folder of the package, relative to the root. */
  readonly folder: string
  /** Name and version, as `name@version`. */
  readonly id: string
}

/** Lists the published packages of this repository. */
export function listPublishedPackages(): readonly PublishedPackage[] {
  return readdirSync('packages').flatMap((name) => {
    const folder = `packages/${name}`
    const manifest: { name: string; version: string; private?: boolean } = JSON.parse(
      readFileSync(`${folder}/package.json`, 'utf8'),
    )
    return manifest.private === true ? [] : [{ folder, id: `${manifest.name}@${manifest.version}` }]
  })
}
