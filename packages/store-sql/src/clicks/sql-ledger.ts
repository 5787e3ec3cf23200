import type { Claim, Click, Ledger, Outcome } from '@storeport/core'
import { sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import { createSweep } from './create-sweep.ts'
import type { Database, Db } from '../db/database.ts'

/** How a ledger over a database is set up. */
export interface SqlLedgerOptions {
  /** The time in milliseconds since 1970, which must be about the same for all who share the database; default `Date.now`. */
  readonly now?: (() => number) | undefined
}

/**
 * A ledger for all processes that share a database.
 *
 * What it writes need not reach the disk before the answer: a change is committed to the same log later, and waits for
 * all that was written before it. So a crash of the machine can lose a click only together with its change.
 */
export function sqlLedger(database: Database, { now = Date.now }: SqlLedgerOptions = {}): Ledger {
  const sweep = createSweep(database, 'ledger_clicks', now)

  return {
    claim: (click, retryUnknown) =>
      database.transaction((db) => claim(db, click, retryUnknown, now()), { durable: false }),
    settle: async (click, outcome) => {
      await database.transaction((db) => settle(db, database.dialect, click, outcome, now()), { durable: false })
      sweep()
    },
  }
}

async function claim(db: Db, click: Click, retryUnknown: boolean, now: number): Promise<Claim> {
  if (await claimUnlessKnown(db, click, now)) return { state: 'claimed', idempotencyKey: click.idempotencyKey }
  const known = await lockClick(db, click.id)
  // Another transaction has just removed it.
  if (known === undefined) return claim(db, click, retryUnknown, now)
  const { fingerprint, idempotency_key, expires_at } = known
  // A try that outlived its lease is lost, and its outcome unknown.
  const state = known.state === 'running' && known.ends_at <= now ? 'unknown' : known.state
  if (state !== 'unknown') return { state, fingerprint }
  if (!retryUnknown || fingerprint !== click.fingerprint) {
    return { state, fingerprint, forgottenInMs: expires_at - now }
  }
  await db
    .updateTable('ledger_clicks')
    .set({ state: 'running', ...endsOf(click, 'running', now) })
    .where('id', '=', click.id)
    .execute()
  return { state: 'claimed', idempotencyKey: idempotency_key }
}

async function settle(db: Db, dialect: DialectName, click: Click, outcome: Outcome, now: number): Promise<void> {
  // The last success of the customer that was not named is the only one that a repeat can replay.
  if (outcome === 'done') {
    await lockSuccesses(db, dialect, click.customer)
    await db
      .deleteFrom('ledger_clicks')
      .where('customer', '=', click.customer)
      .where(sql<boolean>`state = 'done' and not named`)
      .execute()
  }
  if (outcome === 'refused' || (outcome === 'done' && click.doneMs === 0)) return forget(db, click.id)
  await db
    .updateTable('ledger_clicks')
    .set({ state: outcome, ...endsOf(click, outcome, now) })
    .where('id', '=', click.id)
    .execute()
}

/** Keeps other successes of the customer waiting until the end of the transaction; SQLite has one writer at a time anyway. */
async function lockSuccesses(db: Db, dialect: DialectName, customer: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${customer}, 0))`.execute(db)
}

/**
 * Whether nothing was known of the click any more, so that it now runs. An expired one is taken over by one statement,
 * whose condition is checked under the lock of the row: of several who come at once, one gets it.
 */
async function claimUnlessKnown(db: Db, click: Click, now: number): Promise<boolean> {
  const { id, customer, fingerprint, named, idempotencyKey: idempotency_key } = click
  const running = {
    customer,
    fingerprint,
    named,
    idempotency_key,
    state: 'running',
    ...endsOf(click, 'running', now),
  } as const
  const claimed = await db
    .insertInto('ledger_clicks')
    .values({ id, ...running })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(running).where('ledger_clicks.expires_at', '<=', now))
    .returning('id')
    .execute()
  return claimed.length > 0
}

/** Reads a click and keeps others from it until the end of the transaction. */
async function lockClick(db: Db, id: string) {
  return db
    .updateTable('ledger_clicks')
    .set(({ ref }) => ({ state: ref('state') }))
    .where('id', '=', id)
    .returning(['fingerprint', 'idempotency_key', 'state', 'ends_at', 'expires_at'])
    .executeTakeFirst()
}

async function forget(db: Db, id: string): Promise<void> {
  await db.deleteFrom('ledger_clicks').where('id', '=', id).execute()
}

/** When a state ends, and when nothing is known any more. */
function endsOf({ leaseMs, doneMs, unknownMs }: Click, state: 'running' | 'done' | 'unknown', now: number) {
  if (state === 'running') return { ends_at: now + leaseMs, expires_at: now + leaseMs + unknownMs }
  const ends_at = now + (state === 'done' ? doneMs : unknownMs)
  return { ends_at, expires_at: ends_at }
}
