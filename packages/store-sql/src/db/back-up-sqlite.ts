import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import { explainMissing, readStoreUrl, StoreOpenError } from './open-connections.ts'
import { explainSqlite } from './sqlite-failure.ts'

/**
 * Copies a consistent snapshot of a SQLite database into a new file, while other processes can use the database.
 * Waits until the copy is on disk, and returns the size of the copy in bytes. A failed backup leaves no file.
 *
 * Throws StoreOpenError if the database is not SQLite or does not exist, if `file` exists, or if the write fails.
 */
export async function backUpSqlite(url: string, file: string): Promise<number> {
  const place = readStoreUrl(url)
  if (place.dialect !== 'sqlite') {
    throw new StoreOpenError('Only SQLite databases can be backed up this way. Use pg_dump for PostgreSQL.')
  }
  if (!(await exists(place.file))) throw new StoreOpenError(`SQLite file not found: ${place.file}. Check the path.`)
  if (await exists(file)) throw new StoreOpenError(`${file} already exists. Choose a new file for the backup.`)
  const { default: Database } = await import('libsql').catch(explainMissing('libsql'))
  const unfinished = `${file}.${randomUUID()}`
  try {
    const database = new Database(place.file, { timeout: 0 })
    try {
      // Copies in one read transaction. In WAL mode, a reader does not block writers.
      database.exec(`vacuum into '${unfinished.replaceAll("'", "''")}'`)
    } finally {
      database.close()
    }
    const copy = await open(unfinished, 'r+')
    await copy.sync().finally(() => copy.close())
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw new StoreOpenError(`Could not write the backup. ${explainSqlite(error, file)}`)
  }
  return (await stat(file)).size
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
