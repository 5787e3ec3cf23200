/** Fields of a package.json, or of a package's entry in a lock file, that a release reads or changes. */
export interface Versions {
  readonly name?: string
  readonly version?: string
  /** Whether npm must not publish the package. */
  readonly private?: boolean
  /** Version ranges by package name. */
  readonly dependencies?: Readonly<Record<string, string>>
  /** Version ranges by package name. */
  readonly devDependencies?: Readonly<Record<string, string>>
  /** Version ranges by package name. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const kinds = ['dependencies', 'devDependencies', 'peerDependencies'] as const

/** Returns a copy of a manifest with the given version, also for the dependencies in `names`. */
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
