import { columns, type NewJsonRow, type TableName } from '../columns.ts'
import type { DialectName } from '../db/connections.ts'
import type { Write, WriteForm } from '../db/writes.ts'

/** Makes the write for some rows: none for no rows. */
export type WriteRows<Table extends TableName> = (rows: readonly NewJsonRow<Table>[]) => readonly Write[]

/** Prepares writes that insert rows, or with `constant` update those whose ids are there, but for the columns that never change. */
export function prepareRows<Table extends TableName>(
  table: Table,
  constant?: readonly (keyof NewJsonRow<Table>)[],
): WriteRows<Table> {
  const names = ownColumns(table)
  const into = `insert into ${table} (${names.join(', ')})`
  const updated = constant && names.filter((name) => !constant.some((each) => each === name))
  const onConflict =
    updated === undefined
      ? ''
      : `on conflict (id) do update set ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}`
  const one: WriteForm = {
    name: `${table}_row`,
    write: (_, parameter) =>
      `${into} values (${names.map((_name, place) => parameter(place + 1)).join(', ')}) ${onConflict}`,
  }
  const several: WriteForm = {
    name: `${table}_rows`,
    write: (dialect, parameter) => `${into} ${selectRows(dialect, table, parameter(1))} where true ${onConflict}`,
  }
  return (rows) => {
    const [first] = rows
    if (first === undefined) return []
    if (rows.length > 1) return [{ form: several, parameters: [JSON.stringify(rows)] }]
    const values: Readonly<Record<string, unknown>> = first
    return [{ form: one, parameters: names.map((name) => values[name]) }]
  }
}

/** Prepares writes that remove rows by their ids. */
export function prepareRemoval(
  table: 'items' | 'discount_uses' | 'open_adds',
): (ids: readonly string[]) => readonly Write[] {
  const form: WriteForm = {
    name: `${table}_removed`,
    write: (dialect, parameter) =>
      dialect === 'sqlite'
        ? `delete from ${table} where id in (select value from json_each(${parameter(1)}))`
        : `delete from ${table} where id = any(array(select json_array_elements_text(${parameter(1)}::json)))`,
  }
  return (ids) => (ids.length === 0 ? [] : [{ form, parameters: [JSON.stringify(ids)] }])
}

/** Selects the rows of a table out of a list in JSON. */
export function selectRows(dialect: DialectName, table: TableName, list: string): string {
  const names = ownColumns(table)
  return dialect === 'sqlite'
    ? `select ${names.map((name) => `value ->> '${name}'`).join(', ')} from json_each(${list})`
    : `select ${names.join(', ')} from json_populate_recordset(null::${table}, ${list}::json)`
}

/** The columns of a table that the database does not make itself. */
export function ownColumns(table: TableName): readonly string[] {
  return Object.entries(columns[table]).flatMap(([name, kind]) => (kind === 'generated' ? [] : [name]))
}
