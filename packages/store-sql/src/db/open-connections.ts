import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isStoreError } from '@storeport/core'
import type { ConnectionOptions, Connections } from './connections.ts'

/** Thrown if a database cannot be opened. The message contains the problem and what to do, without a password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

/** Location of the data: a file or a database server. */
export type StorePlace =
  | { readonly dialect: 'sqlite'; readonly file: string }
  | { readonly dialect: 'postgres'; readonly url: string; readonly label: string }

/** Parses `sqlite:<file>` or `postgres://…`; otherwise throws StoreOpenError without the URL in the message. */
export function readStoreUrl(url: string): StorePlace {
  const scheme = /^([a-z]+):/i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'sqlite') return { dialect: 'sqlite', file: parseFile(url.slice('sqlite:'.length)) }
  if (scheme === 'postgres' || scheme === 'postgresql') return { dialect: 'postgres', url, label: parseServer(url) }
  throw new StoreOpenError('Invalid store URL. Use sqlite:<file> or postgres://<user>:<password>@<host>/<database>.')
}

/** Accepts `data/shop.db`, `/data/shop.db` and `///data/shop.db`. Rejects two slashes, which are ambiguous. */
function parseFile(path: string): string {
  const file = path.startsWith('///') ? path.slice(2) : path
  if (file === '' || file === ':memory:' || file.startsWith('//')) {
    throw new StoreOpenError('sqlite: must be followed by a file path, for example sqlite:/var/lib/shop.db.')
  }
  return resolve(file)
}

/** Returns the server and the database name of a URL, without the user and the password. */
function parseServer(url: string): string {
  try {
    // Adds a host, because `URL` rejects the empty host of a Unix socket connection.
    const { host, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'))
    return `${searchParams.get('host') ?? host}${pathname}`
  } catch {
    throw new StoreOpenError(
      'Invalid PostgreSQL URL. Use postgres://<user>:<password>@<host>/<database>, ' +
        'with special characters in the password percent-encoded.',
    )
  }
}

/**
 * Opens the connections to a database, and creates the folder for a SQLite file. Throws StoreOpenError.
 * Imports only the driver for this type of database, so that each driver is optional.
 */
export async function openConnections(place: StorePlace, options: ConnectionOptions): Promise<Connections> {
  if (place.dialect === 'postgres') {
    const { openPostgres } = await import('./postgres.ts').catch(explainMissing('pg'))
    return openPostgres(place, options)
  }
  await createFolder(dirname(place.file))
  const { openSqlite } = await import('./sqlite.ts').catch(explainMissing('libsql'))
  return openSqlite(place.file, options)
}

/** Returns a handler for import errors. The handler throws StoreOpenError if the driver is not installed. */
export function explainMissing(driver: 'libsql' | 'pg'): (error: unknown) => never {
  return (error) => {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StoreOpenError(`The database driver is missing. Run npm install ${driver}.`)
  }
}

async function createFolder(folder: string): Promise<void> {
  try {
    await createFolders(folder)
  } catch (error) {
    throw new StoreOpenError(
      `Cannot create the folder ${folder} (${codeOf(error)}). Choose another path or grant write permission.`,
    )
  }
}

/** Creates a folder and its parents. Avoids Node's `recursive` option, which hangs in file systems such as /proc. */
async function createFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    await createFolders(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unexpected error'
}

/** Converts an error from opening a database to a StoreOpenError with a message for the operator. */
export async function explainOpening<Result>(connections: Connections, opening: Promise<Result>): Promise<Result> {
  try {
    return await opening
  } catch (error) {
    if (error instanceof StoreOpenError) throw error
    throw new StoreOpenError(connections.explain(isStoreError(error) ? error.cause : error))
  }
}
