import { type ColumnKind, columns, type JsonRow, type TableName } from '../columns.ts'
import type { DialectName, Send } from './connections.ts'

/** An SQL expression that a database gives as JSON, and how what JSON.parse makes of it becomes the value that was described. */
export interface JsonExpression<Value> {
  /** The expression. */
  readonly sql: string
  /** Reads the value. */
  readonly read: (json: unknown) => Value
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
  /** The condition that a customer's email is that of a parameter, which is in lower case. */
  hasEmail(parameter: string): string
  /** The condition that a value is among those that a statement finds, which runs once for all rows. */
  isAmong(value: string, statement: string): string
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
  send: Send,
  statement: JsonExpression<Value>,
  parameters: readonly (string | null)[],
): Promise<readonly Value[]> {
  const { rows } = await send<{ json: string }>(statement.sql, parameters)
  return rows.map(({ json }) => readText(statement, json))
}

/** Reads the value of an expression that came as text. */
export function readText<Value>({ read }: JsonExpression<Value>, text: string): Value {
  return read(JSON.parse(text))
}

/**
 * What the databases write differently. A row is a list of its values: the names in every row of every list would be most of
 * the text.
 */
interface Syntax {
  array(values: string): string
  list(value: string, order: string, from: string): string
  readList(json: unknown): unknown
  readonly reads: Readonly<Record<ColumnKind, ((json: unknown) => unknown) | undefined>>
  parameter(number: number): string
  hasEmail(parameter: string): string
  isAmong(value: string, statement: string): string
}

function writerFor({ array, list, readList, reads, ...conditions }: Syntax): JsonWriter {
  return {
    row: <Table extends TableName, Omitted extends keyof JsonRow<Table>, Others extends Expressions>(
      table: Table,
      omitted: readonly Omitted[],
      others: Others,
    ) => {
      const left = new Set<PropertyKey>(omitted)
      const own = Object.entries<ColumnKind>(columns[table])
        .filter(([name]) => !left.has(name))
        .map(([name, kind]): Field => ({ name, sql: `${table}.${name}`, read: reads[kind] }))
      const fields = [...own, ...Object.entries(others).map(([name, { sql, read }]): Field => ({ name, sql, read }))]
      return {
        sql: array(fields.map(({ sql }) => sql).join(', ')),
        // oxlint-disable-next-line typescript/consistent-type-assertions -- the fields are those of the table and the others
        read: (json: unknown) => readFields(fields, json) as Omit<JsonRow<Table>, Omitted> & ValuesOf<Others>,
      }
    },
    list: (value, order, from) => ({
      sql: list(value.sql, order, from),
      read: (json) => {
        const values = readList(json)
        return Array.isArray(values) ? values.map(value.read) : []
      },
    }),
    ...conditions,
  }
}

interface Field {
  readonly name: string
  readonly sql: string
  readonly read: ((json: unknown) => unknown) | undefined
}

function readFields(fields: readonly Field[], json: unknown): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  if (!Array.isArray(json)) return row
  let place = 0
  for (const { name, read } of fields) {
    const value: unknown = json[place++]
    row[name] = read === undefined ? value : read(value)
  }
  return row
}

const sqlite = writerFor({
  array: (values) => `json_array(${values})`,
  list: (value, order, from) => `(select json_group_array(${value} order by ${order}) ${from})`,
  // SQLite may forget that what a subquery gives is JSON: then it is text inside of the row.
  readList: parseText,
  reads: { value: undefined, generated: undefined, flag: Boolean, json: parseText },
  parameter: (number) => `?${number}`,
  // The index with the email itself may be all that is read of a customer: one with a generated column never is.
  hasEmail: (parameter) => `customers.email = ${parameter} collate nocase`,
  isAmong: (value, statement) => `${value} in (${statement})`,
})

const postgres = writerFor({
  array: (values) => `json_build_array(${values})`,
  list: (value, order, from) => `(select coalesce(json_agg(${value} order by ${order}), '[]') ${from})`,
  readList: (json) => json,
  reads: { value: undefined, generated: undefined, flag: undefined, json: undefined },
  parameter: (number) => `$${number}`,
  hasEmail: (parameter) => `customers.email_key = ${parameter}`,
  // With `in` it is joined, and then it may run again for each row.
  isAmong: (value, statement) => `${value} = any(array(${statement}))`,
})

/** Reads a value that may be the text of JSON. */
export function parseText(json: unknown): unknown {
  return typeof json === 'string' ? JSON.parse(json) : json
}
