import { StoreError } from '../contract/errors.ts'
import type { ClickDocument } from '../contract/ledger.ts'

/** SQL dialect: `mysql` includes MariaDB; `sqlite` includes libsql and Turso. */
export type SqlDialect = 'postgres' | 'mysql' | 'sqlite'

/** Result of a statement: its rows as objects, and the number of rows that it inserted, updated or deleted. */
export interface SqlResult {
  readonly rows: readonly unknown[]
  readonly changes: number | bigint
}

/** Runs one statement. Placeholders are `$1`, `$2` (postgres) or `?`. Each parameter is used once, in sequence. */
export type SqlRun = (sql: string, parameters: (string | number)[]) => SqlResult | Promise<SqlResult>

export const defaultTable = 'storeport_clicks'
/**
 * Expressions for the database's time in milliseconds since 1970. They use UTC, because MySQL's local time repeats an
 * hour every autumn.
 */
const clocks = {
  postgres: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  mysql: "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000",
  sqlite: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
} as const satisfies Record<SqlDialect, string>

/** Returns the migration that creates the table of `createSqlLedger`. Throws TypeError for an invalid dialect or name. */
export function sqlLedgerTable(dialect: SqlDialect, table: string = defaultTable): string {
  if (!Object.hasOwn(clocks, dialect)) throw new TypeError("dialect: must be 'postgres', 'mysql' or 'sqlite'")
  if (!/^([a-z_]\w*\.)?[a-z_]\w*$/i.test(table)) throw new TypeError(`table: must be a name such as ${defaultTable}`)
  const index = `${table.split('.').at(-1)}_expires_at`
  const isMysql = dialect === 'mysql'
  // By default, MySQL ignores letter case when it compares ids.
  const id = isMysql ? 'varchar(255) character set ascii collate ascii_bin' : 'text'
  const end = isMysql
    ? `,\n  index ${index} (expires_at)\n) engine = InnoDB default character set utf8mb4;`
    : `\n);\ncreate index if not exists ${index} on ${table} (expires_at);`
  return `create table if not exists ${table} (
  id ${id} not null primary key,
  version ${id} not null,
  document ${isMysql ? 'mediumtext' : 'text'} not null,
  expires_at bigint not null${end}
`
}

/** Returns the SQL statements of a ledger. */
export function clickStatements(dialect: SqlDialect, table: string) {
  const [p1, p2, p3, p4, p5] = [1, 2, 3, 4, 5].map((place) => (dialect === 'postgres' ? `$${place}` : '?'))
  const row = `into ${table} (id, version, document, expires_at) values (${p1}, ${p2}, ${p3}, ${p4})`
  const insert = dialect === 'mysql' ? `insert ignore ${row}` : `insert ${row} on conflict (id) do nothing`
  const update = `update ${table} set version = ${p1}, document = ${p2}, expires_at = ${p3} where id = ${p4}`
  const columns = `${clocks[dialect]} as clock, click.version, click.document, click.expires_at`
  const click = `${table} as click where click.id = ${p1}`
  const expired = `select id from ${table} where expires_at < ${p1} limit 500`
  return {
    /** Reads the clock, and the row with an id. */
    read: `select ${columns} from (select 1 as one) as base left join ${table} as click on click.id = ${p1}`,
    insert,
    update,
    /** Replaces the document if it still has the version that was read. */
    compareAndSet: `${update} and version = ${p5}`,
    /** Deletes one expired row. */
    remove: `delete from ${table} where id = ${p1} and expires_at < ${p2}`,
    ...{
      postgres: {
        create: `with created as (${insert}) select pg_current_xact_id()::text as transaction_id`,
        // Without the subquery, PostgreSQL reads the clock before it waits for the lock.
        lock: `with click as (select * from ${click} for update) select ${columns}, pg_current_xact_id()::text as transaction_id from click`,
        sweep: `delete from ${table} where id = any(array(${expired} for update skip locked))`,
      },
      mysql: {
        // Locks the row exclusively, because the shared lock of `insert ignore` can deadlock.
        create: `insert ${row} on duplicate key update version = version`,
        // Only MariaDB executes the comment. MySQL returns null.
        lock: `select ${columns}, coalesce(/*M! @@in_transaction, */ null) as transaction_id from ${click} for update`,
        // Returns the rows for `remove`. A `delete` of several rows would wait for a lock while it holds other locks.
        sweep: expired,
      },
      sqlite: {
        create: insert,
        lock: `select ${columns}, null as transaction_id from ${click}`,
        sweep: `delete from ${table} where id in (${expired})`,
      },
    }[dialect],
  }
}

/** Fields of a value from a database before validation. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Parses a row of `read` or `lock`. An expired row has a version, because the next write replaces the row. Throws StoreError
 * `store_unavailable` for an unreadable document, and TypeError for missing columns. Some libraries rename columns, and
 * a click without an end would appear to be expired.
 */
export function openRow({ clock, version, document, expires_at: end, transaction_id: transaction }: Fields = {}) {
  const now = Number(clock ?? Number.NaN)
  if (Number.isNaN(now) || ((version ?? null) !== null && (end ?? null) === null))
    throw new TypeError('run: must return rows with the selected column names, such as expires_at and transaction_id')
  return { now, version, transaction, stored: Number(end) > now ? parseDocument(document) : undefined }
}

/** Parses a document. Throws for an unreadable document, because its clicks must not run again. */
function parseDocument(text: unknown): ClickDocument {
  try {
    return Object(JSON.parse(String(text)))
  } catch (cause) {
    throw new StoreError('store_unavailable', 'The stored clicks cannot be read.', { cause, retryAfter: 30 })
  }
}

/** Validates a result of `run`. Throws TypeError for an invalid shape. */
export function checkResult(result: unknown): { readonly rows: readonly Fields[]; readonly changes: number } {
  const { rows, changes }: Fields = Object(result)
  if (!Array.isArray(rows) || (typeof changes !== 'number' && typeof changes !== 'bigint')) throw invalidResult()
  return { rows, changes: Number(changes) }
}

export const invalidResult = () =>
  new TypeError(
    'run: must return { rows, changes }: the rows as objects, and the number of rows that the statement inserted, updated or deleted',
  )

/** Matches errors with which a database rejects a statement because of a concurrent statement. */
export const conflict = /\b(40001|40P01|ER_LOCK_DEADLOCK|ER_CHECKREAD|SQLITE_BUSY|SQLITE_LOCKED)/
/** Matches errors for a missing table or column. */
export const missingTable =
  /\b(42P01|42703|ER_NO_SUCH_TABLE|ER_BAD_FIELD_ERROR)\b|no such (table|column)|no column named/

/** Whether a pattern matches the code or message of an error or of its cause. */
export function matchesError(error: unknown, pattern: RegExp): boolean {
  if (!(error instanceof Error)) return false
  return pattern.test(`${Object(error).code} ${error.message}`) || matchesError(error.cause, pattern)
}
