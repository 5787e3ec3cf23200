import Database from 'libsql'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Locks a SQLite file, or runs a locking statement on PostgreSQL. Returns a function that ends the lock. */
export async function holdLock(url: string, statement: string): Promise<() => Promise<unknown>> {
  if (url.startsWith('sqlite:')) {
    const file = new Database(url.slice('sqlite:'.length))
    onTestFinished(() => void file.close())
    file.exec('begin immediate')
    return async () => file.exec('rollback')
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin; ${statement}`)
  return () => client.query('rollback')
}
