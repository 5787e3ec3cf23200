import type { DialectName, Send } from './connections.ts'

/** A change to the rows of one table. */
export interface Write {
  /** SQL with the parameters `$1`, `$2` and so on. */
  readonly statement: string
  /** Values of the parameters. */
  readonly parameters: readonly unknown[]
  /** Creates the error to throw if the write changes no row; by default, no error is thrown. */
  readonly createError?: (() => Error) | undefined
}

/** Applies independent writes in sequence. PostgreSQL receives all writes in one statement, to save round trips. */
export async function applyWrites(send: Send, dialect: DialectName, writes: readonly Write[]): Promise<void> {
  if (dialect === 'postgres' && writes.length > 1) return sendCombined(send, writes)
  for (const { statement, parameters, createError } of writes) {
    const { changes } = await send(inDialect(dialect, statement), parameters)
    if (changes === 0 && createError !== undefined) throw createError()
  }
}

/** Sends one statement. The sequence has no effect, because PostgreSQL checks foreign keys at the end. */
async function sendCombined(send: Send, writes: readonly Write[]): Promise<void> {
  const values: unknown[] = []
  const parts = writes.map(({ statement, parameters }, place) => {
    const offset = values.length
    values.push(...parameters)
    const renumbered = statement.replaceAll(/\$(\d+)/g, (_, number) => `$${offset + Number(number)}`)
    return `part_${place} as (${renumbered} returning 1)`
  })
  const counts = writes.map((_, place) => `(select count(*) from part_${place}) as changes_${place}`)
  const { rows } = await send<Readonly<Record<string, number>>>(
    `with ${parts.join(', ')} select ${counts.join(', ')}`,
    values,
  )
  for (const [place, { createError }] of writes.entries()) {
    if (createError !== undefined && rows[0]?.[`changes_${place}`] === 0) throw createError()
  }
}

/** Returns a statement with the parameters of PostgreSQL, `$1`, in the form of a dialect. */
export function inDialect(dialect: DialectName, statement: string): string {
  return dialect === 'sqlite' ? statement.replaceAll('$', '?') : statement
}

/** Returns the statement that inserts rows from one JSON parameter, which is much faster than one parameter for each value. */
export function insertStatement(dialect: DialectName, table: string, columns: readonly string[]): string {
  const selected =
    dialect === 'sqlite'
      ? `select ${columns.map((name) => `value ->> '${name}'`).join(', ')} from json_each(?1) where true`
      : `select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1::json)`
  return `insert into ${table} (${columns.join(', ')}) ${selected}`
}

/** Parses a JSON column that SQLite returns as a string. Returns a parsed value unchanged. */
export function parseJson<Value>(json: Value | string): Value {
  return typeof json === 'string' ? JSON.parse(json) : json
}
