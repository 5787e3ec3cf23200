import type { Database, Db } from './database.ts'
import { StoreOpenError } from './store-open-error.ts'

/**
 * Returns the currency of the amounts of a database, which it keeps from when it was made; throws StoreOpenError when
 * another one is wanted: the same numbers would mean other amounts.
 */
export async function keepCurrency(database: Database, wanted: string | undefined): Promise<string> {
  const kept = (await database.read(readCurrency)) ?? (await database.transaction((db) => setCurrency(db, wanted)))
  if (wanted === undefined || wanted === kept) return kept
  throw new StoreOpenError(
    `The amounts of the database are in ${kept}, not in ${wanted}: open it with the currency ${kept}, or name another database.`,
  )
}

async function readCurrency(db: Db): Promise<string | undefined> {
  const setting = await db.selectFrom('settings').select('value').where('name', '=', 'currency').executeTakeFirst()
  return setting?.value
}

/** Sets the currency of a new database, unless somebody else has at the same moment. */
async function setCurrency(db: Db, wanted = 'USD'): Promise<string> {
  await db
    .insertInto('settings')
    .values({ name: 'currency', value: wanted })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await readCurrency(db)) ?? wanted
}

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
