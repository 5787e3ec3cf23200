import { openSecret } from './open-secret.ts'

/** The keys that the host accepts, and what a person must know to use one. */
export interface HostKeys {
  /** Every accepted key. */
  readonly accepted: readonly string[]
  /** The key that was made just now: shown once. */
  readonly made: string | undefined
  /** Shell words that give a key without showing it. */
  readonly shellWords: string
}

/** Takes the given keys, or the one kept in the data folder, or makes one there that only its owner can read. */
export async function openKeys(given: readonly string[] | undefined, folder: string): Promise<HostKeys> {
  if (given !== undefined) return { accepted: given, made: undefined, shellWords: '${STOREPORT_API_KEYS%%,*}' }
  const { value, isNew, file } = await openSecret(folder, 'api-key')
  return { accepted: [value], made: isNew ? value : undefined, shellWords: `$(cat ${quoteForShell(file)})` }
}

/** A path as one shell word. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
