import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { explainMissing, readStoreUrl } from './open-connections.ts'
import { explainSqlite } from './sqlite-failure.ts'
import type { LibsqlConnection } from './sqlite-file.ts'
import { StoreOpenError } from './store-open-error.ts'

/**
 * Writes a copy of a SQLite database into a new file, as of one moment, while others go on using it; resolves with its size in
 * bytes, when it is on the disk. The file is there whole or not at all.
 *
 * Throws StoreOpenError for a database that is not SQLite or is not there, a file that is there already, and a copy that cannot be written.
 */
export async function backUpSqlite(url: string, file: string): Promise<number> {
  const place = readStoreUrl(url)
  if (place.dialect !== 'sqlite') {
    throw new StoreOpenError('A PostgreSQL database is backed up with its own tool, pg_dump.')
  }
  if (!(await isThere(place.file))) throw new StoreOpenError(`There is no SQLite file ${place.file} to back up.`)
  if (await isThere(file)) throw new StoreOpenError(`${file} is there already: name a new file for the backup.`)
  const { openLibsqlConnection } = await import('./sqlite-file.ts').catch(explainMissing('libsql'))
  const unfinished = `${file}.${randomUUID()}`
  try {
    copyInto(openLibsqlConnection(place.file), unfinished)
    const copy = await open(unfinished, 'r+')
    await copy.sync().finally(() => copy.close())
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new StoreOpenError(`The backup was not written. ${explainSqlite(error, file)}`)
  }
  return (await stat(file)).size
}

/** Reads in one transaction, which in WAL mode keeps no writer waiting. */
function copyInto(connection: LibsqlConnection, to: string): void {
  try {
    connection.exec(`vacuum into '${to.replaceAll("'", "''")}'`)
  } finally {
    connection.close()
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
