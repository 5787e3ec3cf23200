import { CompiledQuery } from 'kysely'
import { type ColumnKind, columns, type JsonRow, type TableName } from '../columns.ts'
import type { DialectName } from './connections.ts'
import type { Db } from './database.ts'

/** An SQL expression that gives a JSON document, and how its text becomes the value that was described. */
export interface JsonExpression<Value> {
  /** The expression. */
  readonly sql: string
  /** Reads the document. */
  readonly parse: (text: string) => Value
}

/** The value that an expression gives. */
export type ValueOf<Expression> = Expression extends JsonExpression<infer Value> ? Value : never

/** Writes JSON expressions for one of the databases. */
export interface JsonWriter {
  /** A row of a table with all of its columns but some, and other values by name. */
  row<Table extends TableName, Omitted extends keyof JsonRow<Table>, Others extends Expressions>(
    table: Table,
    omitted: readonly Omitted[],
    others: Others,
  ): JsonExpression<Omit<JsonRow<Table>, Omitted> & ValuesOf<Others>>
  /** The list of a value over some rows, in an order; empty when there are none. */
  list<Value>(value: JsonExpression<Value>, order: string, from: string): JsonExpression<readonly Value[]>
  /** The place of a parameter. */
  parameter(number: number): string
}

type Expressions = Readonly<Record<string, JsonExpression<unknown>>>
type ValuesOf<Others extends Expressions> = { readonly [Name in keyof Others]: ValueOf<Others[Name]> }

/** Makes a statement for each dialect, once. */
export function forEachDialect<Statement>(
  make: (writer: JsonWriter) => Statement,
): Readonly<Record<DialectName, Statement>> {
  return { sqlite: make(sqlite), postgres: make(postgres) }
}

/** Makes the statement that gives an expression for every row that is found. */
export function jsonStatement<Value>(value: JsonExpression<Value>, from: string): JsonExpression<Value> {
  return { ...value, sql: `select cast(${value.sql} as text) as json ${from}` }
}

/** Runs a statement that `jsonStatement` made. */
export async function readJson<Value>(
  db: Db,
  { sql, parse }: JsonExpression<Value>,
  parameters: readonly (string | null)[],
): Promise<readonly Value[]> {
  const { rows } = await db.executeQuery<{ json: string }>(CompiledQuery.raw(sql, [...parameters]))
  return rows.map(({ json }) => parse(json))
}

/** What the databases write differently. */
interface Syntax {
  object(pairs: string): string
  list(value: string, order: string, from: string): string
  column(name: string, kind: ColumnKind): string
  parameter(number: number): string
}

function writerFor({ object, list, column, parameter }: Syntax): JsonWriter {
  return {
    row: (table, omitted, others) => {
      const left = new Set<PropertyKey>(omitted)
      const own = Object.entries<ColumnKind>(columns[table])
        .filter(([name]) => !left.has(name))
        .map(([name, kind]) => `'${name}', ${column(`${table}.${name}`, kind)}`)
      const more = Object.entries(others).map(([name, { sql }]) => `'${name}', ${sql}`)
      return { sql: object([...own, ...more].join(', ')), parse: JSON.parse }
    },
    list: (value, order, from) => ({ sql: list(value.sql, order, from), parse: JSON.parse }),
    parameter,
  }
}

const sqlite = writerFor({
  object: (pairs) => `json_object(${pairs})`,
  list: (value, order, from) => `json((select json_group_array(${value} order by ${order}) ${from}))`,
  column: (name, kind) => {
    if (kind === 'flag') return `iif(${name}, json('true'), json('false'))`
    return kind === 'json' ? `json(${name})` : name
  },
  parameter: (number) => `?${number}`,
})

const postgres = writerFor({
  object: (pairs) => `json_build_object(${pairs})`,
  list: (value, order, from) => `(select coalesce(json_agg(${value} order by ${order}), '[]') ${from})`,
  column: (name) => name,
  parameter: (number) => `$${number}`,
})
