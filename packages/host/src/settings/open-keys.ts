import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingsError } from './settings-error.ts'

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
  const file = join(folder, 'api-key')
  const shellWords = `$(cat ${quoteForShell(file)})`
  const kept = await readKept(file)
  if (kept !== undefined) return { accepted: [kept], made: undefined, shellWords }
  const made = randomBytes(24).toString('base64url')
  await keep(file, folder, made)
  // Another host may have been faster: what the file holds now is what both accept.
  const final = (await readKept(file)) ?? made
  return { accepted: [final], made: final === made ? made : undefined, shellWords }
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw new SettingsError(`STOREPORT_DATA: ${file} cannot be read (${readCode(error)})`)
  }
}

async function keep(file: string, folder: string, key: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    throw new SettingsError(`STOREPORT_DATA: ${file} cannot be written (${readCode(error)}): choose another folder`)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return readCode(error) === code
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error'
}

/** A path as one shell word. */
function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
