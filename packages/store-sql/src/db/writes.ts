import type { DialectName, Send } from './connections.ts'

/** A change to the rows of one table. */
export interface Write {
  /** Statement of the write. */
  readonly form: WriteForm
  /** Values of the parameters. */
  readonly parameters: readonly unknown[]
  /** Creates the error to throw if the write changes no row; by default, no error is thrown. */
  readonly createError?: (() => Error) | undefined
}

/** The statement of a write, which can be combined with other writes. */
export interface WriteForm {
  /** Unique name, used as the cache key for the SQL. */
  readonly name: string
  /** Returns the SQL. `parameter` returns the placeholder for a parameter number, starting at 1. */
  write(parameter: (number: number) => string): string
}

/** Applies independent writes in sequence. PostgreSQL receives all writes in one statement, to save round trips. */
export async function applyWrites(send: Send, dialect: DialectName, writes: readonly Write[]): Promise<void> {
  if (dialect === 'postgres' && writes.length > 1) return sendCombined(send, writes)
  for (const { form, parameters, createError } of writes) {
    const { changes } = await send(
      getStatement(form.name, () => writeSingle(form, dialect), dialect),
      parameters,
    )
    if (changes === 0 && createError !== undefined) throw createError()
  }
}

async function sendCombined(send: Send, writes: readonly Write[]): Promise<void> {
  const name = writes.map(({ form }) => form.name).join(' ')
  const text = getStatement(name, () => combineWrites(writes), 'postgres')
  const { rows } = await send<Readonly<Record<string, number>>>(
    text,
    writes.flatMap(({ parameters }) => parameters),
  )
  for (const [place, { createError }] of writes.entries()) {
    if (createError !== undefined && rows[0]?.[`changes_${place}`] === 0) throw createError()
  }
}

/** Combines writes in one statement. The sequence has no effect, because PostgreSQL checks foreign keys at the end. */
function combineWrites(writes: readonly Write[]): string {
  let before = 0
  const parts = writes.map(({ form, parameters }, place) => {
    const offset = before
    before += parameters.length
    return `part_${place} as (${form.write((number) => `$${offset + number}`)} returning 1)`
  })
  const counts = writes.map((_, place) => `(select count(*) from part_${place}) as changes_${place}`)
  return `with ${parts.join(', ')} select ${counts.join(', ')}`
}

function writeSingle(form: WriteForm, dialect: DialectName): string {
  return form.write((number) => (dialect === 'sqlite' ? `?${number}` : `$${number}`))
}

/** Cache of SQL strings by dialect and name. A connection reuses the prepared statement of a cached string. */
const statements: Readonly<Record<DialectName, Map<string, string>>> = { sqlite: new Map(), postgres: new Map() }

/** Returns the SQL string with the given name. The first call creates the string with `create`. */
export function getStatement(name: string, create: () => string, dialect: DialectName): string {
  const known = statements[dialect].get(name)
  if (known !== undefined) return known
  const created = create()
  statements[dialect].set(name, created)
  return created
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
