import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { SettingsError } from './settings.ts'
import { chmod, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'

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

/** What lets a browser into the playground. */
interface SignIn {
  /** The secret in the address that the host prints. */
  readonly token: string
  /** Name of the cookie under which a browser keeps it, for a host on that port: cookies are not separated by port. */
  cookieName(port: number): string
  /** The address to open, for a host that listens there. */
  address(url: string): string
}

/** Reads the token of the data folder, or makes one there, so that a restart signs nobody out; throws SettingsError. */
export async function openSignIn(folder: string): Promise<SignIn> {
  const { value: token, file } = await openSecret(folder, 'token')
  if (!/^[\w-]{16,256}$/.test(token)) {
    throw new SettingsError(`STOREPORT_DATA: ${file} holds no token: delete it to have one made`)
  }
  return {
    token,
    cookieName: (port) => {
      const place = createHash('sha256')
        .update(`${resolve(folder)}\n${port}`)
        .digest('hex')
      return `storeport-${place.slice(0, 16)}`
    },
    address: (url) => `${nameThisMachine(url)}/?token=${token}`,
  }
}

/** Browsers refuse the address that stands for all of a machine, and a cookie belongs to the name that the documents use. */
function nameThisMachine(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:|$)/, '//localhost')
}

/** A secret that the host keeps in a file of its data folder. */
interface Secret {
  /** What the file holds. */
  readonly value: string
  /** Whether it was made just now. */
  readonly isNew: boolean
  /** Where it is kept. */
  readonly file: string
}

/** Reads the secret of that name, or makes one that only its owner can read: whole or not at all, whatever ends the process or fills the disk. Throws SettingsError. */
export async function openSecret(folder: string, name: string): Promise<Secret> {
  const file = join(folder, name)
  const kept = await readKept(file)
  if (kept !== undefined) return { value: kept, isNew: false, file }
  const made = randomBytes(24).toString('base64url')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeWhole(folder, file, `${made}\n`)
  } catch (error) {
    throw new SettingsError(
      `STOREPORT_DATA: ${file} cannot be written (${readCode(error)}): make room, or choose another folder`,
    )
  }
  // Another host may have been faster: what the file holds now is what both accept.
  const value = (await readKept(file)) ?? made
  return { value, isNew: value === made, file }
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim()
    if (text === '') {
      throw new SettingsError(
        `STOREPORT_DATA: ${file} is empty: delete it to have another made, or restore what it held`,
      )
    }
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600).catch(() => {})
    return text
  } catch (error) {
    if (error instanceof SettingsError) throw error
    if (readCode(error) === 'ENOENT') return undefined
    throw new SettingsError(`STOREPORT_DATA: ${file} cannot be read (${readCode(error)})`)
  }
}

/** Writes a file that is not there yet; one that somebody else has made meanwhile stays as it is. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  try {
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await nameFile(unfinished, file)
  } finally {
    await unlink(unfinished).catch(() => {})
  }
  await syncFolder(folder)
}

/** Unlike renaming, linking never replaces a file; where a file system has no links, renaming must do. */
async function nameFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const code = readCode(error)
    if (code === 'EEXIST') return
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EACCES'].includes(code)) throw error
    await rename(from, to)
  }
}

/** Makes the name of a file outlast a power cut; some systems cannot, and the file is whole there all the same. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error'
}
