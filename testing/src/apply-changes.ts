import type { CustomerAccount, RecordChange, RecordKind } from '@storeport/rules'

type Row = Readonly<Record<string, unknown>> & { readonly id: string }

/** Parents of each kind of record, as a field and the kind of the parent. */
const parents: Readonly<Record<RecordKind, readonly (readonly [field: string, kind: RecordKind])[]>> = {
  customer: [],
  subscription: [],
  order: [['subscription_id', 'subscription']],
  item: [['subscription_id', 'subscription']],
  order_line: [['order_id', 'order']],
  discount_use: [
    ['subscription_id', 'subscription'],
    ['order_id', 'order'],
  ],
  add: [
    ['subscription_id', 'subscription'],
    ['order_id', 'order'],
    ['discount_use_id', 'discount_use'],
  ],
}

/**
 * Applies changes to tables that contain an account, and returns the new account. Throws for a change that a database
 * with foreign keys would reject.
 */
export function applyChanges(before: CustomerAccount, changes: readonly RecordChange[]): CustomerAccount {
  const tables = tablesOf(before)
  const known = new Set([
    ...Object.values(tables).flatMap((table) => [...table.keys()]),
    ...changes.map(({ id }) => id),
  ])
  for (const { kind, id, ...change } of changes) {
    const table = tables[kind]
    if (table.has(id) !== (change.operation !== 'insert')) throw new Error(`${change.operation} ${kind} ${id}`)
    if (change.operation === 'delete') table.delete(id)
    else {
      const row: Row = { ...change.values, id }
      for (const [field, parent] of parents[kind]) {
        const key = row[field]
        // A parent that was not loaded exists in the database.
        if (typeof key === 'string' && known.has(key) && !tables[parent].has(key))
          throw new Error(`${kind} ${id}: no ${parent} ${key}`)
      }
      table.set(id, row)
    }
  }
  return accountOf(before, tables)
}

type Tables = Readonly<Record<RecordKind, Map<string, Row>>>

function tablesOf({ email, subscriptions, orders, discount_uses, adds, ...account }: CustomerAccount): Tables {
  const { last_sent_on, last_sent_at, pending_charge } = account
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

function accountOf(before: CustomerAccount, tables: Tables): CustomerAccount {
  const childrenOf = (kind: 'item' | 'order_line', field: string, parent: string) =>
    [...tables[kind].values()].flatMap((row) => {
      const { [field]: found, position: _position, ...rest } = row
      const { id: _id, ...line } = rest
      return found === parent ? [kind === 'item' ? rest : line] : []
    })
  const { id: _email, ...customer } = tables.customer.get(before.email) ?? { id: '' }
  const account = {
    ...before,
    ...customer,
    subscriptions: [...tables.subscription.values()].map((row) => ({
      ...row,
      items: childrenOf('item', 'subscription_id', row.id),
    })),
    orders: [...tables.order.values()].map((row) => ({ ...row, lines: childrenOf('order_line', 'order_id', row.id) })),
    discount_uses: [...tables.discount_use.values()],
    adds: [...tables.add.values()],
  }
  return JSON.parse(JSON.stringify(account))
}

function byId(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
