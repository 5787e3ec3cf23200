/** The fields of a package.json, or of its entry in a lock file, that contain versions. */
export interface Versions {
  /** Name of the package. */
  readonly name?: string
  /** Version of the package. */
  readonly version?: string
  /** Whether npm must not publish it. */
  readonly private?: boolean
  /** Version ranges by package. */
  readonly dependencies?: Readonly<Record<string, string>>
  /** Version ranges by package. */
  readonly devDependencies?: Readonly<Record<string, string>>
  /** Version ranges by package. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const kinds = ['dependencies', 'devDependencies', 'peerDependencies'] as const

/** Sets the version of a manifest, and of its dependencies in `names`. */
export function atVersion<Manifest extends Versions>(
  manifest: Manifest,
  version: string,
  names: ReadonlySet<string>,
): Manifest {
  const changed = kinds.flatMap((kind) => {
    const ranges = manifest[kind]
    if (ranges === undefined) return []
    return [
      [
        kind,
        Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, names.has(name) ? version : range])),
      ],
    ]
  })
  return { ...manifest, version, ...Object.fromEntries(changed) }
}
