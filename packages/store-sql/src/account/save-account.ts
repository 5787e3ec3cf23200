import type { CustomerAccount, Order, Subscription } from '@storeport/rules'
import { countDiscountUses } from './count-discount-uses.ts'
import type { NewJsonRow, TableName } from '../columns.ts'
import type { Db } from '../db/database.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import type { Tables } from '../schema.ts'
import { assignPositions, findChanged, findRemoved } from './differences.ts'
import type { LoadedAccount } from './load-account.ts'
import { insertOrders } from './insert-orders.ts'
import { subscriptionRow } from './subscription-row.ts'

/** What an update sets: each column of a table, but those that never change. */
type EveryColumnBut<Table extends TableName, Constant extends keyof Tables[Table]> = {
  readonly [Column in Exclude<keyof Tables[Table], Constant>]: unknown
}

/**
 * Saves what a rule changed, a statement for each table that it concerns; throws ChangedMeanwhile when somebody has
 * taken an order that the rule saw open, and StoreError `invalid_discount_code` when a code was used up meanwhile.
 */
export async function saveAccount(db: Db, loaded: LoadedAccount, after: CustomerAccount): Promise<void> {
  const { account: before, customer_id, places } = loaded
  if (after === before) return
  await saveOrders(db, customer_id, before.orders, after.orders)

  await remove(db, 'open_adds', findRemoved(before.adds, after.adds))
  await remove(db, 'discount_uses', findRemoved(before.discount_uses, after.discount_uses))
  await remove(db, 'items', findRemoved(itemsOf(before), itemsOf(after)))

  await saveSubscriptions(db, customer_id, before.subscriptions, after.subscriptions)
  await saveItems(db, before, after, places)
  await saveDiscountUses(db, before, after)
  await saveAdds(db, customer_id, before, after, places)

  const { last_sent_on, last_sent_at } = after
  if (last_sent_on !== before.last_sent_on || last_sent_at !== before.last_sent_at) {
    await db.updateTable('customers').set({ last_sent_on, last_sent_at }).where('id', '=', customer_id).execute()
  }
  // Last, since the codes are what customers share: their rows are locked until the commit.
  await countDiscountUses(db, before.discount_uses, after.discount_uses)
}

async function remove(db: Db, table: 'open_adds' | 'discount_uses' | 'items', ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom(table).where('id', 'in', ids).execute()
}

async function saveOrders(
  db: Db,
  customerId: string,
  before: readonly Order[],
  after: readonly Order[],
): Promise<void> {
  for (const order of findChanged(before, after)) {
    const known = before.find(({ id }) => id === order.id)
    if (known === undefined || known.status === order.status) continue
    // The merchant's fulfilment takes orders without locking the customer: the first of the two wins.
    const { numUpdatedRows } = await db
      .updateTable('orders')
      .set({ status: order.status })
      .where('id', '=', order.id)
      .where('status', '=', known.status)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new ChangedMeanwhile()
  }
  const placedNow = after.filter(({ id }) => !before.some((order) => order.id === id))
  if (placedNow.length > 0) await insertOrders(db, customerId, placedNow)
}

async function saveSubscriptions(
  db: Db,
  customerId: string,
  before: readonly Subscription[],
  after: readonly Subscription[],
): Promise<void> {
  const known = new Set(before.map((subscription) => JSON.stringify(subscriptionRow(customerId, subscription))))
  const rows = findChanged(before, after).map((subscription) => subscriptionRow(customerId, subscription))
  for (const { id, ...columns } of rows.filter((row) => !known.has(JSON.stringify(row)))) {
    await db.updateTable('subscriptions').set(columns).where('id', '=', id).execute()
  }
}

async function saveItems(
  db: Db,
  before: CustomerAccount,
  after: CustomerAccount,
  places: ReadonlyMap<string, number>,
): Promise<void> {
  const known = new Set(itemsOf(before))
  const rows = findChanged(before.subscriptions, after.subscriptions).flatMap((subscription) =>
    assignPositions(subscription.items, places)
      .filter(({ element, position }) => !known.has(element) || places.get(element.id) !== position)
      .map(({ element, position }): NewJsonRow<'items'> => ({
        ...element,
        subscription_id: subscription.id,
        position,
      })),
  )
  if (rows.length === 0) return
  await db
    .insertInto('items')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(
        ({ ref }) =>
          ({
            product_id: ref('excluded.product_id'),
            quantity: ref('excluded.quantity'),
            price_minor: ref('excluded.price_minor'),
            one_time: ref('excluded.one_time'),
            position: ref('excluded.position'),
          }) satisfies EveryColumnBut<'items', 'id' | 'subscription_id'>,
      ),
    )
    .execute()
}

async function saveDiscountUses(db: Db, before: CustomerAccount, after: CustomerAccount): Promise<void> {
  const rows: readonly NewJsonRow<'discount_uses'>[] = findChanged(before.discount_uses, after.discount_uses)
  if (rows.length === 0) return
  await db
    .insertInto('discount_uses')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(
        ({ ref }) =>
          ({
            subscription_id: ref('excluded.subscription_id'),
            item_id: ref('excluded.item_id'),
            order_id: ref('excluded.order_id'),
          }) satisfies EveryColumnBut<'discount_uses', 'id' | 'code' | 'used_on' | 'kind' | 'amount_minor'>,
      ),
    )
    .execute()
}

async function saveAdds(
  db: Db,
  customer_id: string,
  before: CustomerAccount,
  after: CustomerAccount,
  places: ReadonlyMap<string, number>,
): Promise<void> {
  const known = new Set(before.adds)
  const rows = assignPositions(after.adds, places)
    .filter(({ element }) => !known.has(element))
    .map(({ element, position }): NewJsonRow<'open_adds'> => ({ ...element, customer_id, position }))
  if (rows.length > 0) await db.insertInto('open_adds').values(rows).execute()
}

function itemsOf({ subscriptions }: CustomerAccount) {
  return subscriptions.flatMap(({ items }) => items)
}
