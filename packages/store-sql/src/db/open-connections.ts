import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Connections } from './connections.ts'
import type { SqlStoreOptions } from '../sql-store.ts'
import { StoreOpenError } from './store-open-error.ts'
import type { StorePlace } from './store-url.ts'

/** How connections are made. */
export interface ConnectionOptions extends Pick<
  SqlStoreOptions,
  'poolSize' | 'statementTimeoutMs' | 'onStatement' | 'onNotice'
> {
  /** Whether SQLite checks foreign keys and follows them, which a server always does; default true. */
  readonly checksKeys?: boolean | undefined
}

/**
 * Makes the connections to a database; for a SQLite file, its folder first. Throws StoreOpenError.
 *
 * A driver is loaded when it is needed: nobody waits for the other one, or must have it run on their machine.
 */
export async function openConnections(place: StorePlace, options: ConnectionOptions): Promise<Connections> {
  const { poolSize = 10, statementTimeoutMs = 5000, onStatement, onNotice, checksKeys } = options
  const waitMs = statementTimeoutMs === 0 ? 5000 : statementTimeoutMs
  if (place.dialect === 'postgres') {
    const { openPostgres } = await import('./dialects/postgres.ts')
    return openPostgres({ ...place, poolSize, statementTimeoutMs, connectTimeoutMs: waitMs, onStatement })
  }
  await makeFolder(dirname(place.file))
  const { openSqlite } = await import('./dialects/sqlite.ts')
  return openSqlite({ file: place.file, busyTimeoutMs: waitMs, onStatement, onNotice, checksKeys })
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
