import type { Database } from './database.ts'

/** For how long to wait for an answer, in milliseconds. */
const timeoutMs = 2000

/**
 * Makes the question whether the database answers and can be written, which never throws: it writes, since a full disk, a
 * lock that somebody keeps and a standby show themselves no earlier. Who asks meanwhile gets the same answer.
 */
export function createReadiness(database: Database): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  return () =>
    (asked ??= takesChanges(database).finally(() => {
      asked = undefined
    }))
}

async function takesChanges(database: Database): Promise<boolean> {
  const waiting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false)
      waiting.abort()
    }, timeoutMs)
  })
  const written = database.transaction(
    (db) =>
      db
        .updateTable('settings')
        .set(({ ref }) => ({ value: ref('value') }))
        .where('name', '=', 'currency')
        .execute(),
    { durable: false, waiting },
  )
  const answer = written.then(
    () => true,
    () => false,
  )
  return Promise.race([answer, timeUp]).finally(() => clearTimeout(timer))
}
