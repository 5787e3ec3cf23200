import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isStoreError } from '@storeport/core'
import type { Connections } from './connections.ts'
import { StoreOpenError } from './store-open-error.ts'

/** How connections are made; everything has a default. */
export interface ConnectionOptions {
  /** Most connections to PostgreSQL; default 10. */
  readonly poolSize?: number | undefined
  /** How long one statement, or the wait for a lock or a connection, may take, in milliseconds; default 5,000. */
  readonly statementTimeoutMs?: number | undefined
  /** Called with a sentence for the log when a SQLite file is no longer the one that was opened; default a warning of the process. */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** Called with the text of every statement, never with its values. */
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** Where the data is: a file, or a database server. */
export type StorePlace =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly url: string; readonly shown: string }

/** Reads `sqlite:<file>` or `postgres://…`; throws StoreOpenError for anything else, without repeating it. */
export function readStoreUrl(url: string): StorePlace {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'sqlite') return { dialect: 'sqlite', file: readFile(url.slice('sqlite:'.length)) }
  if (scheme === 'postgres' || scheme === 'postgresql') return { dialect: 'postgres', url, shown: readServer(url) }
  throw new StoreOpenError('The store must be sqlite:<file> or postgres://<user>:<password>@<host>/<database>.')
}

/** `sqlite:data/shop.db`, `sqlite:/data/shop.db` and `sqlite:///data/shop.db`; with two slashes it could be either. */
function readFile(path: string): string {
  const file = path.startsWith('///') ? path.slice(2) : path
  if (file === '' || file === ':memory:' || file.startsWith('//')) {
    throw new StoreOpenError('sqlite: must be followed by the name of a file, as in sqlite:/var/lib/shop.db.')
  }
  return resolve(file)
}

/** The server and database of an address, without user and password. */
function readServer(url: string): string {
  try {
    // A server on a socket has no host before the slash, which URL does not take.
    const { host, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
    return `${searchParams.get('host') ?? host}${pathname}`
  } catch {
    throw new StoreOpenError(
      'The address of the PostgreSQL server is not valid: it must be postgres://<user>:<password>@<host>/<database>, ' +
        'with special characters in the password percent-encoded.',
    )
  }
}

/**
 * Makes the connections to a database; for a SQLite file, its folder first. Throws StoreOpenError.
 *
 * A driver is loaded when it is needed: nobody waits for the other one, or must have it run on their machine.
 */
export async function openConnections(place: StorePlace, options: ConnectionOptions): Promise<Connections> {
  const { poolSize = 10, statementTimeoutMs = 5000, onStatement, onNotice } = options
  const waitMs = statementTimeoutMs === 0 ? 5000 : statementTimeoutMs
  if (place.dialect === 'postgres') {
    const { openPostgres } = await import('./postgres.ts').catch(explainMissing('pg'))
    return openPostgres({ ...place, poolSize, statementTimeoutMs, connectTimeoutMs: waitMs, onStatement })
  }
  await makeFolder(dirname(place.file))
  const { openSqlite } = await import('./sqlite.ts').catch(explainMissing('libsql'))
  return openSqlite({ file: place.file, busyTimeoutMs: waitMs, onStatement, onNotice })
}

/** Says which driver to install. */
export function explainMissing(driver: 'libsql' | 'pg'): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StoreOpenError(`The driver of the database is missing: run npm install ${driver}.`)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await makeFolders(folder)
  } catch (error) {
    throw new StoreOpenError(
      `The folder ${folder} cannot be made: name another one, or give the right to (${codeOf(error)}).`,
    )
  }
}

/** Makes a folder and those above it. Node's own `recursive` never ends where a folder cannot be made, as in /proc. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await makeFolders(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected error'
}

/** Turns whatever keeps a database from being opened into a StoreOpenError that says what to do. */
export async function explainOpening<Result>(connections: Connections, opening: Promise<Result>): Promise<Result> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof StoreOpenError) throw error
    throw new StoreOpenError(connections.explain(isStoreError(error) ? error.cause : error))
  }
}
