/** What of a package.json, or of its entry in a lock file, names versions. */
export interface Versions {
  /** The package. */
  readonly name?: string
  /** Its version. */
  readonly version?: string
  /** Whether npm must not publish it. */
  readonly private?: boolean
  /** Ranges by package. */
  readonly dependencies?: Readonly<Record<string, string>>
  /** Ranges by package. */
  readonly devDependencies?: Readonly<Record<string, string>>
  /** Ranges by package. */
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const kinds = ['dependencies', 'devDependencies', 'peerDependencies'] as const

/** The same at another version, and so are those of the named packages that it depends on. */
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
