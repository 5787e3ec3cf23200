import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../db/connections.ts'
import type { Columns } from './column-types.ts'

/**
 * One table of clicks, in place of those of the ledger and of the keys of changes. What was known of a click is carried
 * over; one that runs while its host is replaced counts as unknown.
 */
export async function keepClicksInOneTable(
  db: Kysely<unknown>,
  dialect: DialectName,
  { key, flag, instant, end }: Columns,
): Promise<void> {
  // A host of the version before waits here with its change, and then finds no table to keep its key in.
  if (dialect === 'postgres') await sql`lock table applied_keys, ledger_clicks in access exclusive mode`.execute(db)
  const now = await readClock(db, dialect)
  const statements = [
    `create table clicks (
      ${key('id')} primary key,
      ${key('customer')},
      fingerprint text not null,
      ${flag('named')} not null,
      state text not null check (state in ('running', 'done', 'unknown')),
      idempotency_key text not null,
      try_key text not null,
      ${instant('ordinal')} not null,
      ${instant('first_try_at')} not null,
      ${instant('since')} not null,
      ${instant('until')} not null,
      ${instant('expires_at')} not null
    ) ${end}`,
    // Of the clicks without a name that had succeeded, each was the last success of its customer; others may have begun since.
    `insert into clicks
      select id, customer, fingerprint, named, case state when 'done' then 'done' else 'unknown' end,
        idempotency_key, idempotency_key, case when state <> 'done' then ${now + 2} when named then ${now} else ${now + 1} end,
        case when state <> 'done' and expires_at < ${now + dayMs} then expires_at - ${dayMs} else ${now} end, ${now},
        case when state = 'running' then expires_at else ends_at end,
        case when expires_at < ${now + keptMs} then ${now + keptMs} else expires_at end
      from ledger_clicks where expires_at > ${now}`,
    `insert into clicks
      select id, null, id, ${dialect === 'sqlite' ? '1' : 'true'}, 'done', id, id, ${now}, ${now}, ${now}, expires_at, expires_at
      from applied_keys where expires_at > ${now}`,
    `drop table ledger_clicks`,
    `drop table applied_keys`,
    `create index clicks_of_customer on clicks (customer, ordinal) where customer is not null`,
    `create index clicks_by_expiry on clicks (expires_at)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** For how long the version before kept an outcome that nobody knows, and for how long a success is kept at least, in milliseconds. */
const dayMs = 24 * 60 * 60_000
const keptMs = 10 * 60_000

async function readClock(db: Kysely<unknown>, dialect: DialectName): Promise<number> {
  if (dialect === 'sqlite') return Date.now()
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(db)
  return Number(rows[0]?.now)
}
