import { checkResult, type SqlDialect, type SqlRun } from '../retries/sql-statements.ts'
import { type HistoryFilter, type HistoryRow, type HistoryStorage, idDigits } from './history.ts'

/** Options of `createSqlHistory`. */
export interface SqlHistoryOptions {
  readonly dialect: SqlDialect
  /** Runs and commits one statement, over a pool or a connection. */
  readonly run: SqlRun
  /** Name of the table; default `storeport_history`. */
  readonly table?: string | undefined
}

const defaultTable = 'storeport_history'
const columns = ['id', 'customer', 'failure', 'facts', 'key_id', 'sealed', 'chunk'] as const

/** Bits of an id below its period: 2^26 ms, which is 18.6 hours, and the 21 bits of the counter. */
const periodBits = 47n
/** Maximum number of chunks in a period. */
const chunksPerPeriod = 4096
/** Approximate number of rows of a process in a chunk. */
const rowsPerChunk = 4096

/** Returns the migration that creates the table of `createSqlHistory`. Throws TypeError for an invalid dialect or name. */
export function sqlHistoryTable(dialect: SqlDialect, table: string = defaultTable): string {
  if (!['postgres', 'mysql', 'sqlite'].includes(dialect))
    throw new TypeError("dialect: must be 'postgres', 'mysql' or 'sqlite'")
  if (!/^([a-z_]\w*\.)?[a-z_]\w*$/i.test(table)) throw new TypeError(`table: must be a name such as ${defaultTable}`)
  const name = table.split('.').at(-1)
  const key = {
    postgres: 'text collate "C"',
    mysql: 'varchar(128) character set ascii collate ascii_bin',
    sqlite: 'text',
  }[dialect]
  const isMysql = dialect === 'mysql'
  const text = isMysql ? 'mediumtext' : 'text'
  const indexes = isMysql
    ? `,\n  index ${name}_of_customer (chunk, customer),\n  index ${name}_failures (failure)\n) engine = InnoDB default character set utf8mb4;`
    : `\n);
create index if not exists ${name}_of_customer on ${table} (chunk, customer);
create index if not exists ${name}_failures on ${table} (failure) where failure is not null;`
  return `create table if not exists ${table} (
  id ${dialect === 'sqlite' ? 'integer' : 'bigint'} not null primary key,
  customer ${key} not null,
  failure ${key},
  facts ${text} not null,
  key_id ${key} not null,
  sealed ${text} not null,
  chunk integer not null${indexes}
`
}

/** Creates the storage of a history in one table of any SQL database. Throws TypeError for an invalid option. */
export function createSqlHistory({ dialect, run, table = defaultTable }: SqlHistoryOptions): HistoryStorage {
  sqlHistoryTable(dialect, table)
  const texts = statements(dialect, table)
  const mark = (place: number) => (dialect === 'postgres' ? `$${place}` : '?')
  const list = (values: readonly string[]) => values.map((_, at) => mark(at + 1)).join(', ')
  const chunkOf = createChunks()
  const send = async (text: string, parameters: (string | number)[]) => checkResult(await run(text, parameters))

  function select({ customers, requestId, failed, from, limit }: HistoryFilter) {
    const values: string[] = [...(customers ?? [])]
    const conditions = customers === undefined ? [] : [`id in (${texts.ofCustomers(list(customers))})`]
    const add = (condition: string, value: string) => conditions.push(`${condition} ${mark(values.push(value))}`)
    if (requestId !== undefined) add('failure =', requestId)
    if (failed === true) conditions.push('failure is not null')
    if (from !== undefined) conditions.push(`id >= ${toInteger(mark(values.push(from)), dialect)}`)
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')} `
    return send(`${texts.select} ${where}order by id desc limit ${Math.floor(limit)}`, values)
  }

  return {
    append: async (rows) => {
      const chunk = chunkOf(rows)
      await send(texts.insert, [JSON.stringify(rows.map((row) => toList(row, chunk)))])
    },
    select: async (filter) => (await select(filter)).rows.map(toRow),
    countByKey: async () => {
      const { rows } = await send(`select key_id, count(*) as found from ${table} group by key_id`, [])
      return new Map(rows.map(({ key_id: id, found }) => [String(id), Number(found)]))
    },
    erase: async (customers) => (await send(texts.erase(list(customers)), [...customers])).changes,
    deleteBefore: async (id, limit) => (await send(texts.deleteBefore(Math.floor(limit)), [id])).changes,
  }
}

/**
 * Returns the definition of `chunks`, the list of all chunks. This recursive query searches the index once per chunk. MySQL and
 * MariaDB limit a recursion to 1,000 rows, but they search the index once per chunk for `select distinct`.
 */
function chunksOf(table: string): string {
  return `with recursive chunks (chunk) as (
    select min(chunk) from ${table}
    union all
    select (select min(other.chunk) from ${table} other where other.chunk > chunks.chunk) from chunks where chunk is not null
  ) `
}

/** Returns the statements. `insert` has one parameter: the rows as a JSON list of lists. */
function statements(dialect: SqlDialect, table: string) {
  const isMysql = dialect === 'mysql'
  const into = `into ${table} (${columns.join(', ')})`
  const isNumber = (name: (typeof columns)[number]) => name === 'id' || name === 'chunk'
  const cells = columns.map((name, at) => (isNumber(name) ? toInteger(`value ->> ${at}`, dialect) : `value ->> ${at}`))
  // Without a character set, MariaDB converts the strings to the character set of the database.
  const unicode = 'longtext character set utf8mb4'
  const jsonColumns = columns.map((name, at) => {
    const type = isNumber(name) ? 'bigint' : name === 'facts' || name === 'sealed' ? unicode : 'varchar(128)'
    return `${name} ${type} path '$[${at}]'`
  })
  const isOld = `id < ${toInteger(dialect === 'postgres' ? '$1' : '?', dialect)}`
  const old = (limit: number) => `select id from ${table} where ${isOld} order by id limit ${limit}`
  /** Selects the ids of the rows of customers. Searches for the customers in each chunk. */
  const ofCustomers = (customers: string) => {
    const owned = `join ${table} owned on owned.chunk = chunks.chunk where owned.customer in (${customers})`
    // `distinct` makes the subquery a temporary table. Otherwise, MySQL rejects a `delete` from the table that it reads.
    return isMysql
      ? `select distinct owned.id from (select distinct chunk from ${table}) as chunks ${owned}`
      : `${chunksOf(table)}select owned.id from chunks ${owned}`
  }
  return {
    // Many drivers round integers above 2^53.
    select: `select cast(id as ${isMysql ? 'char' : 'text'}) as row_id, ${columns.slice(1, -1).join(', ')} from ${table}`,
    ofCustomers,
    /** MariaDB reads the whole table for `id in (…)` in a `delete`. */
    erase: (customers: string) =>
      isMysql
        ? `delete ${table} from ${table} join (${ofCustomers(customers)}) as found on found.id = ${table}.id`
        : `delete from ${table} where id in (${ofCustomers(customers)})`,
    insert: {
      postgres: `insert ${into} select ${cells.join(', ')} from jsonb_array_elements($1::jsonb) on conflict (id) do nothing`,
      sqlite: `insert or ignore ${into} select ${cells.join(', ')} from json_each(?)`,
      mysql: `insert ignore ${into} select ${columns.join(', ')} from json_table(?, '$[*]' columns (${jsonColumns.join(', ')})) as added`,
    }[dialect],
    /** Several processes may delete concurrently. PostgreSQL skips rows that another process deletes, to avoid deadlocks. */
    deleteBefore: (limit: number) =>
      ({
        postgres: `delete from ${table} where id = any(array(${old(limit)} for update skip locked))`,
        sqlite: `delete from ${table} where id in (${old(limit)})`,
        mysql: `delete from ${table} where ${isOld} order by id limit ${limit}`,
      })[dialect],
  }
}

/** Returns an expression that converts the text of an id to an integer. */
function toInteger(text: string, dialect: SqlDialect): string {
  return {
    postgres: `cast((${text})::text as bigint)`,
    sqlite: `cast(${text} as integer)`,
    mysql: `cast(${text} as signed)`,
  }[dialect]
}

/**
 * Returns a function that returns the chunk of new rows. The index of customers starts with the chunk, because new rows of the
 * same chunk change few of its pages. Without the chunk, a write takes a third longer on SQLite (75,000 rows).
 */
function createChunks(): (rows: readonly HistoryRow[]) => number {
  let period = 0
  let count = 0
  return (rows) => {
    const current = Number(BigInt(rows[0]?.id ?? 0) >> periodBits)
    if (current !== period) count = 0
    period = current
    const chunk = Math.min(Math.floor(count / rowsPerChunk), chunksPerPeriod - 1)
    count += rows.length
    return period * chunksPerPeriod + chunk
  }
}

function toList(row: HistoryRow, chunk: number): readonly (string | number | null)[] {
  return [row.id, row.customer, row.failure, row.facts, row.keyId, row.sealed, chunk]
}

function toRow(row: Readonly<Record<string, unknown>>): HistoryRow {
  const text = (name: (typeof columns)[number] | 'row_id') => String(row[name])
  return {
    id: text('row_id').padStart(idDigits, '0'),
    customer: text('customer'),
    failure: row['failure'] === null ? null : text('failure'),
    facts: text('facts'),
    keyId: text('key_id'),
    sealed: text('sealed'),
  }
}
