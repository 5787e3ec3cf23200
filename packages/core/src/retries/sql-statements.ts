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

/** Expressions that identify the transaction. Only MariaDB executes the comment in the `mysql` expression; MySQL returns null. */
const transactions = {
  postgres: 'pg_current_xact_id()::text',
  mysql: 'coalesce(/*M! @@in_transaction, */ null)',
  sqlite: 'null',
} as const satisfies Record<SqlDialect, string>

/** Returns the migration that creates the table of `createSqlLedger`. Throws TypeError for an invalid dialect or name. */
export function sqlLedgerTable(dialect: SqlDialect, table: string = defaultTable): string {
  if (!Object.hasOwn(clocks, dialect)) throw new TypeError("dialect: must be 'postgres', 'mysql' or 'sqlite'")
  if (!/^([a-z_]\w*\.)?[a-z_]\w*$/i.test(table)) throw new TypeError(`table: must be a name such as ${defaultTable}`)
  const index = `${table.split('.').at(-1)}_expires_at`
  const isMysql = dialect === 'mysql'
  // By default, MySQL ignores letter case when it compares ids. Its `text` type is too short for a full document.
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
  const mark = (place: number) => (dialect === 'postgres' ? `$${place}` : '?')
  const row = `into ${table} (id, version, document, expires_at) values (${[1, 2, 3, 4].map(mark).join(', ')})`
  const insert = dialect === 'mysql' ? `insert ignore ${row}` : `insert ${row} on conflict (id) do nothing`
  const columns = `${clocks[dialect]} as clock, click.version, click.document, click.expires_at`
  const transaction = `${transactions[dialect]} as transaction_id`
  const update = `update ${table} set version = ${mark(1)}, document = ${mark(2)}, expires_at = ${mark(3)} where id = ${mark(4)}`
  const expired = `select id from ${table} where expires_at < ${mark(1)} limit 500`
  return {
    /** Reads the clock, and the row with an id. */
    read: `select ${columns} from (select 1 as one) as base left join ${table} as click on click.id = ${mark(1)}`,
    insert,
    update,
    /** Replaces the document if it still has the version that was read. */
    compareAndSet: `${update} and version = ${mark(5)}`,
    /** Creates a row. In MySQL, locks the row exclusively, because the shared lock of `insert ignore` can deadlock. */
    create: {
      postgres: `with created as (${insert}) select ${transaction}`,
      mysql: `insert ${row} on duplicate key update version = version`,
      sqlite: insert,
    }[dialect],
    lock: `select ${columns}, ${transaction} from ${table} as click where click.id = ${mark(1)}${dialect === 'sqlite' ? '' : ' for update'}`,
    expired,
    /**
     * Deletes expired rows. The parameter is the time. In MySQL, the parameters are an id and the time. The statement
     * never waits for a lock while it holds another lock.
     */
    sweep: {
      postgres: `delete from ${table} where id = any(array(${expired} for update skip locked))`,
      mysql: `delete from ${table} where id = ${mark(1)} and expires_at < ${mark(2)}`,
      sqlite: `delete from ${table} where id in (${expired})`,
    }[dialect],
  }
}

/** Fields of a value from a database before validation. */
type Fields = Readonly<Record<string, unknown>>

/**
 * Parses a row of `read` or `lock`. Throws StoreError `store_unavailable` for an unreadable document, and TypeError for a row
 * without the selected columns. Some libraries rename columns, and a click without an end would appear to be expired.
 */
export function openRow(row: Fields = {}, now: number = toNumber(row['clock'])) {
  const { version, document, transaction_id: transaction } = row
  // An expired row also has a version, because the next write replaces the row.
  if (typeof version !== 'string') return { now, version: undefined, stored: undefined, transaction }
  const stored = toNumber(row['expires_at']) > now ? parseDocument(document) : undefined
  return { now, version, stored, transaction }
}

/** Returns a number from a database. Throws TypeError if the value is missing. */
function toNumber(value: unknown): number {
  const number = value === null || value === undefined ? NaN : Number(value)
  if (Number.isNaN(number)) throw missingColumns()
  return number
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

export function invalidResult(): TypeError {
  return new TypeError(
    'run: must return { rows, changes }: the rows as objects, and the number of rows that the statement inserted, updated or deleted',
  )
}

/** Creates the error for rows without the selected columns. */
export function missingColumns(): TypeError {
  return new TypeError('run: must return rows with the selected column names, such as expires_at and transaction_id')
}

/** Whether a pattern matches the code or message of an error or of its cause. */
export function matchesError(error: unknown, pattern: RegExp): boolean {
  if (!(error instanceof Error)) return false
  return pattern.test(`${Object(error).code} ${error.message}`) || matchesError(error.cause, pattern)
}
