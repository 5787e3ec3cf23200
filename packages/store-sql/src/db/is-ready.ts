import { sql } from 'kysely'
import type { Database, Db } from './database.ts'

/** For how long to wait for an answer, in milliseconds. */
const timeoutMs = 2000

/** Whether the database answers, and a server takes changes; never throws. */
export async function isReady(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const answer = database.read((db) => takesChanges(database, db)).catch(() => false)
  return Promise.race([answer, timeUp]).finally(() => clearTimeout(timer))
}

async function takesChanges({ dialect }: Database, db: Db): Promise<boolean> {
  await db.selectFrom('milestones').select('name').where('name', '=', 'seeded').execute()
  if (dialect === 'sqlite') return true
  const { rows } = await sql<{ setting: string }>`select current_setting('transaction_read_only') as setting`.execute(
    db,
  )
  return rows[0]?.setting === 'off'
}
