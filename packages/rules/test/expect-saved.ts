import { changesOf, type CustomerAccount, type RecordKind } from '@storeport/rules'
import { expect } from 'vitest'

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** The kind of the parent to which a field refers. */
const parents: Readonly<Record<string, RecordKind>> = {
  subscription_id: 'subscription',
  order_id: 'order',
  discount_use_id: 'discount_use',
}

/** Asserts that the changes of an account result in the new account, in a database with foreign keys. */
export function expectSaved(before: CustomerAccount, after: CustomerAccount): void {
  const [tables, expected] = [tablesOf(before), tablesOf(after)]
  const known = new Set([tables, expected].flatMap((each) => Object.values(each).flatMap((table) => [...table.keys()])))
  for (const { kind, id, ...change } of changesOf(before, after)) {
    const table = tables[kind]
    expect([change.operation, kind, table.has(id)]).toEqual([change.operation, kind, change.operation !== 'insert'])
    if (change.operation === 'delete') table.delete(id)
    else {
      const row: Row = { ...change.values, id }
      for (const [field, parent] of Object.entries(parents)) {
        const key = row[field]
        // A parent that was not loaded exists in the database.
        if (typeof key === 'string' && known.has(key)) expect([...tables[parent].keys()]).toContain(key)
      }
      table.set(id, row)
    }
  }
  expect(tables).toEqual(expected)
}

function tablesOf(account: CustomerAccount): Readonly<Record<RecordKind, Map<string, Row>>> {
  const { email, subscriptions, orders, discount_uses, adds, ...rest } = account
  const { last_sent_on, last_sent_at, pending_charge = null } = rest
  const lines = orders.flatMap(({ id, lines: all }) =>
    all.map((line, index) => ({ ...line, id: `${id}/${index + 1}`, order_id: id, position: index + 1 })),
  )
  return {
    customer: byId([{ id: email, last_sent_on, last_sent_at, pending_charge }]),
    subscription: byId(subscriptions.map(({ items: _, ...subscription }) => subscription)),
    order: byId(orders.map(({ lines: _, ...order }) => order)),
    item: byId(subscriptions.flatMap(({ id, items }) => items.map((item) => ({ ...item, subscription_id: id })))),
    order_line: byId(lines),
    discount_use: byId(discount_uses),
    add: byId(adds.map((add) => ({ ...add }))),
  }
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
