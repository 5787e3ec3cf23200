import { randomBytes, randomUUID } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { SettingsError } from '@storeport/node'
import type { Settings } from './settings.ts'
import { chmod, link, lstat, mkdir, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'

/** API keys that the host accepts. */
export interface HostKeys {
  /** Every accepted key. */
  readonly accepted: readonly string[]
  /** New key, which is printed once; `undefined` for existing keys. */
  readonly created: string | undefined
  /** Absolute path of the file that contains the key; `undefined` for keys from the settings. */
  readonly file?: string | undefined
  /** Shell expression for a key in the printed curl commands, which must not contain the key. */
  readonly shellWords: string
}

/** Returns the given keys, or the key in the data folder, which is created if missing; throws SettingsError. */
export async function openKeys(
  given: readonly string[] | undefined,
  folder: string,
  variable?: Settings['apiKeyVariable'],
): Promise<HostKeys> {
  if (given !== undefined) return { accepted: given, created: undefined, shellWords: wordsOf(variable) }
  const { value, isNew, file } = await openSecret(folder, 'api-key')
  return { accepted: [value], created: isNew ? value : undefined, file, shellWords: `$(cat ${quoteForShell(file)})` }
}

/** Returns the shell expression for a variable, or a placeholder, because a key from an option must not be printed. */
function wordsOf(variable: Settings['apiKeyVariable']): string {
  if (variable === undefined) return 'YOUR_API_KEY'
  return variable === 'STOREPORT_API_KEY' ? '$STOREPORT_API_KEY' : '${STOREPORT_API_KEYS%%,*}'
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

/** Reads or creates the token in the data folder, so that sessions survive a restart; throws SettingsError. */
export async function openSignIn(folder: string) {
  const { value: token, file } = await openSecret(folder, 'token')
  if (!/^[\w-]{16,256}$/.test(token)) {
    throw new SettingsError(
      `STOREPORT_DATA: ${file} does not contain a valid token. Delete the file to create a new token.`,
    )
  }
  return {
    token,
    /** Returns the sign-in URL of a host that listens on `url`. */
    signInUrl: (url: string) => `${useLocalhost(url)}/?token=${token}`,
  }
}

/** Replaces loopback addresses with `localhost`, because the cookie requires a fixed host name. */
function useLocalhost(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '//localhost')
}

/**
 * Reads a secret, or creates its file with random bytes, readable by the owner only; throws SettingsError. `isNew` is
 * whether this call created the secret, and `file` is the absolute path of its file.
 */
export async function openSecret(folder: string, name: string) {
  const file = resolve(folder, name)
  const stored = await readSecretFile(file)
  if (stored !== undefined) return { value: stored, isNew: false, file }
  const made = randomBytes(24).toString('base64url')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeAtomically(folder, file, `${made}\n`)
  } catch (error) {
    const code = readCode(error)
    const action = /^(EACCES|EPERM|EROFS)$/.test(code) ? 'Grant this user write permission' : 'Free some space'
    throw new SettingsError(`STOREPORT_DATA: ${file} cannot be written (${code}). ${action}, or choose another folder.`)
  }
  // If another host created the file first, both hosts use its content.
  const value = (await readSecretFile(file)) ?? made
  return { value, isNew: value === made, file }
}

/**
 * Removes the permissions of other users from a data folder that they can write. Returns a log line, or `undefined` if
 * the folder is missing or only its owner can write to the folder. Never changes a shared folder such as `/tmp`.
 */
export async function restrictDataFolder(folder: string): Promise<string | undefined> {
  const { mode = 0 } = (await stat(folder).catch(() => undefined)) ?? {}
  if ((mode & 0o022) === 0) return undefined
  const isSticky = (mode & 0o1000) !== 0
  const failed = isSticky || (await chmod(folder, 0o700).catch(() => true))
  const result = failed ? 'Use a folder that only this user can write to.' : 'Its mode is now 0700.'
  return `STOREPORT_DATA: other users could write to ${folder}. ${result}`
}

/** Returns the error message for a data folder that is a file or inside a file. */
export function notAFolder(path: string): string {
  return `STOREPORT_DATA: ${path} is a file or is inside a file. Choose a folder. For a SQLite file, set STOREPORT_STORE to sqlite:<file>.`
}

async function readSecretFile(file: string): Promise<string | undefined> {
  try {
    const state = await lstat(file)
    // Prevents a link from changing the permissions of a file outside the data folder.
    if (!state.isFile()) {
      throw new SettingsError(
        `STOREPORT_DATA: ${file} is a link or a folder. Replace it with a regular file, or delete it to create a new secret.`,
      )
    }
    const text = (await readFile(file, 'utf8')).trim()
    if (text === '') {
      throw new SettingsError(
        `STOREPORT_DATA: ${file} is empty. Delete it to create a new secret, or restore its content.`,
      )
    }
    if ((state.mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {})
    return text
  } catch (error) {
    if (error instanceof SettingsError) throw error
    if (readCode(error) === 'ENOENT') return undefined
    if (readCode(error) === 'ENOTDIR') throw new SettingsError(notAFolder(dirname(file)))
    throw new SettingsError(`STOREPORT_DATA: ${file} cannot be read (${readCode(error)}). Check its permissions.`)
  }
}

/** Error codes of a file system that does not support hard links. */
const noLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES']

/** Writes a new file. Preserves an existing file, unless the file system does not support hard links. */
async function writeAtomically(folder: string, file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    // A hard link never replaces an existing file.
    await link(temporary, file).catch((error: unknown) => {
      const code = readCode(error)
      if (noLinks.includes(code)) return rename(temporary, file)
      if (code !== 'EEXIST') throw error
    })
  } finally {
    await unlink(temporary).catch(() => {})
  }
  // Syncs the folder, so that the file survives a power failure. Some systems cannot sync folders.
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** Returns the code of a system error, such as `ENOENT`. */
export function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error'
}
