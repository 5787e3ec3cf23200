import { readdirSync, readFileSync } from 'node:fs'

/** A package that npm publishes. */
export interface PublishedPackage {
  /** Its folder, from the root. */
  readonly folder: string
  /** Its name and its version, as npm writes them. */
  readonly id: string
}

/** The packages of this repository that are published. */
export function listPublishedPackages(): readonly PublishedPackage[] {
  return readdirSync('packages').flatMap((name) => {
    const folder = `packages/${name}`
    const manifest: { name: string; version: string; private?: boolean } = JSON.parse(
      readFileSync(`${folder}/package.json`, 'utf8'),
    )
    return manifest.private === true ? [] : [{ folder, id: `${manifest.name}@${manifest.version}` }]
  })
}
