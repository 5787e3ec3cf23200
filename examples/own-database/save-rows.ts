import type pg from 'pg'

interface Element {
  readonly id: string
}

/** Whether a list has no element with the same id. */
export function isMissing({ id }: Element, list: readonly Element[]): boolean {
  return !list.some((element) => element.id === id)
}

/**
 * Deletes the rows of removed elements, updates changed rows and inserts new rows. `names` are columns, as in `columns`.
 * `owner` contains additional columns. Returns the new and changed elements.
 */
export async function saveRows<Saved extends Element>(
  client: pg.PoolClient,
  table: string,
  names: string,
  before: readonly Saved[],
  after: readonly Saved[],
  owner: object = {},
): Promise<readonly Saved[]> {
  const removed = before.filter((element) => isMissing(element, after)).map(({ id }) => id)
  if (removed.length > 0) await client.query(`delete from ${table} where id = any($1)`, [removed])

  // A rule does not copy the elements that it does not change.
  const changed = after.filter((element) => !before.includes(element))
  for (const element of changed) {
    const fields = new Map<string, unknown>(Object.entries(element))
    const pairs = names.split(/,\s+/).map((name) => name.split(' as '))
    const keys = [...pairs.map(([column]) => column), ...Object.keys(owner)]
    const values = [...pairs.map(([column = '', field = column]) => fields.get(field)), ...Object.values(owner)]
    const marks = keys.map((_, index) => `$${index + 1}`)
    const insert = `insert into ${table} (${keys}) values (${marks})`
    const update = `update ${table} set (${keys}) = row (${marks}) where id = $1`
    await client.query(isMissing(element, before) ? insert : update, values)
  }
  return changed
}
