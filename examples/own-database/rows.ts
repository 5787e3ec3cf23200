import { dialect, type Run } from './database.ts'

/*
 * Reads and writes rows. Columns are listed as `column` or `column as field`. This file does not depend on the tables.
 */

const isPostgres = dialect === 'postgres'
const [build, collect, array] = isPostgres
  ? ['json_build_object', 'json_agg', 'json_build_array']
  : ['json_object', 'json_arrayagg', 'json_array']

/** Returns SQL that converts a time to milliseconds since 1970. */
export function toMs(time: string): string {
  return `floor(${isPostgres ? `extract(epoch from ${time})` : `unix_timestamp(${time})`} * 1000)`
}

/**
 * SQL for the current time. PostgreSQL's `now()` is unsuitable: it is the start of the transaction, before a wait for a
 * lock.
 */
export const now = toMs(isPostgres ? 'clock_timestamp()' : 'now(3)')

/** Returns SQL for a JSON array with one value. */
export function listOf(value: string): string {
  return `${array}(${value})`
}

/**
 * Returns SQL for a JSON object. Dates become `YYYY-MM-DD`, and decimals become numbers. `more` adds fields with their
 * SQL.
 */
export function object(names: string, more: Readonly<Record<string, string>> = {}): string {
  // MariaDB stores a Boolean as a number.
  const valueOf = (column: string) => (column === 'one_time' ? 'one_time = true' : column)
  const fields = pairsOf(names).map(([column, field]) => [field, valueOf(column)])
  return `${build}(${[...fields, ...Object.entries(more)].map(([field, value]) => `'${field}', ${value}`)})`
}

/** Returns SQL for a JSON array that contains `value` for each row. */
export function list(value: string, rows: string, order: string): string {
  return `coalesce((select ${collect}(${value} order by ${order}) from ${rows}), ${array}())`
}

/** Selects a JSON value from each row. */
export async function select<Value>(run: Run, value: string, rows: string, parameters: unknown[]): Promise<Value[]> {
  const { rows: found } = await run(`select ${value} as value from ${rows}`, parameters)
  return found.map((row) => Object(row).value)
}

/**
 * Writes the changes of one list: deletes, updates and inserts rows. `more` returns columns that the element does not
 * contain, such as the customer id, or a value that your table stores in another format.
 */
export async function saveRows<Element extends { readonly id: string }>(
  run: Run,
  table: string,
  names: string,
  before: readonly Element[],
  after: readonly Element[],
  more: (element: Element) => object = () => ({}),
): Promise<void> {
  const key = pairsOf(names).find(([, field]) => field === 'id')?.[0] ?? 'id'
  const write = async (id: string, sql: string, values: readonly unknown[]) => {
    const { changes } = await run(sql, [...values])
    if (changes !== 1) throw new Error(`${table} ${id}: the statement changed ${changes} rows instead of 1`)
  }
  for (const { id } of before)
    if (!after.some((element) => element.id === id)) await write(id, `delete from ${table} where ${key} = ?`, [id])

  // Rules copy only the elements that they change. Unchanged elements are the same objects in both lists.
  for (const element of after.filter((each) => !before.includes(each))) {
    const { id } = element
    const fields = new Map<string, unknown>(Object.entries(element))
    const pairs = pairsOf(names).map(([column, field]): [string, unknown] => [column, fields.get(field)])
    const row = Object.entries({ ...Object.fromEntries(pairs), ...more(element) })
    const columns = row.map(([column]) => column)
    const values = row.map(([, value]) => (Array.isArray(value) ? JSON.stringify(value) : value))
    const insert = `insert into ${table} (${columns}) values (${columns.map(() => '?')})`
    const update = `update ${table} set ${columns.map((column) => `${column} = ?`)} where ${key} = ?`
    if (before.some((each) => each.id === id)) await write(id, update, [...values, id])
    else await write(id, insert, values)
  }
}

function pairsOf(names: string): readonly [column: string, field: string][] {
  return names.split(/,\s+/).map((name) => {
    const [column = '', field = column] = name.split(' as ')
    return [column, field]
  })
}
