import { StoreError } from '@storeport/core'
import type { CustomerAccount, DiscountUse, Order, Subscription } from '@storeport/rules'
import type { NewJsonRow } from '../columns.ts'
import type { DialectName, Send } from '../db/connections.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import { makeChanges, type Write, type WriteForm } from '../db/writes.ts'
import { assignPositions, findChanged, findRemoved } from './differences.ts'
import type { LoadedAccount } from './load-account.ts'
import { ownColumns, prepareRemoval, prepareRows } from './row-writes.ts'
import { subscriptionRow } from './subscription-row.ts'

/**
 * Saves what a rule changed; throws ChangedMeanwhile when somebody has taken an order that the rule saw open, and
 * StoreError `invalid_discount_code` when a code was used up meanwhile.
 */
export async function saveAccount(
  send: Send,
  dialect: DialectName,
  loaded: LoadedAccount,
  after: CustomerAccount,
): Promise<void> {
  const { account: before } = loaded
  if (after === before) return
  const removals = [
    ...removeAdds(findRemoved(before.adds, after.adds)),
    ...removeUses(findRemoved(before.discount_uses, after.discount_uses)),
    ...removeItems(findRemoved(itemsOf(before), itemsOf(after))),
  ]
  const changes = [
    ...changeOrders(loaded, after),
    ...changeSubscriptions(loaded, after),
    ...changeItems(loaded, after),
    ...writeUses(findChanged(before.discount_uses, after.discount_uses)),
    ...addAdds(loaded, after),
    ...changeCustomer(loaded, after),
  ]
  // Last, since the codes are what customers share: their rows are locked until the commit.
  const counts = countUses(before.discount_uses, after.discount_uses)

  await makeChanges(send, dialect, removals)
  const [count, ...others] = counts
  await makeChanges(send, dialect, count === undefined ? changes : [...changes, count])
  for (const other of others) await makeChanges(send, dialect, [other])
}

const removeAdds = prepareRemoval('open_adds')
const removeUses = prepareRemoval('discount_uses')
const removeItems = prepareRemoval('items')
const insertOrders = prepareRows('orders')
const insertLines = prepareRows('order_lines')
const writeItems = prepareRows('items', ['id', 'subscription_id'])
const writeUses = prepareRows('discount_uses', ['id', 'code', 'used_on', 'kind', 'amount_minor'])

const orderStatus: WriteForm = {
  name: 'order_status',
  write: (_, parameter) =>
    `update orders set status = ${parameter(1)} where id = ${parameter(2)} and status = ${parameter(3)}`,
}

function changeOrders({ account: before, customer_id }: LoadedAccount, after: CustomerAccount): readonly Write[] {
  const statuses = findChanged(before.orders, after.orders).flatMap(({ id, status }): Write[] => {
    const known = before.orders.find((order) => order.id === id)
    if (known === undefined || known.status === status) return []
    // The merchant's fulfilment takes orders without locking the customer: the first of the two wins.
    return [{ form: orderStatus, parameters: [status, id, known.status], refuse: () => new ChangedMeanwhile() }]
  })
  const placed = after.orders.filter(({ id }) => !before.orders.some((order) => order.id === id))
  return [
    ...statuses,
    ...insertOrders(placed.map(({ lines: _, ...order }) => ({ ...order, customer_id }))),
    ...insertLines(placed.flatMap(linesOf)),
  ]
}

function linesOf({ id: order_id, lines }: Order): NewJsonRow<'order_lines'>[] {
  return lines.map((line, index) => ({ ...line, order_id, position: index + 1 }))
}

const changedColumns = ownColumns('subscriptions').filter((name) => name !== 'id' && name !== 'customer_id')
const subscriptionColumns: WriteForm = {
  name: 'subscription_columns',
  write: (_, parameter) =>
    `update subscriptions set ${changedColumns.map((name, place) => `${name} = ${parameter(place + 2)}`).join(', ')}
      where id = ${parameter(1)}`,
}

function changeSubscriptions(
  { account: before, customer_id }: LoadedAccount,
  after: CustomerAccount,
): readonly Write[] {
  return findChanged(before.subscriptions, after.subscriptions).flatMap((subscription) => {
    const row = columnsOf(customer_id, subscription)
    const known = before.subscriptions.find(({ id }) => id === subscription.id)
    if (known !== undefined) {
      const had = columnsOf(customer_id, known)
      if (changedColumns.every((name) => row[name] === had[name])) return []
    }
    return [{ form: subscriptionColumns, parameters: [subscription.id, ...changedColumns.map((name) => row[name])] }]
  })
}

function columnsOf(customer_id: string, subscription: Subscription): Readonly<Record<string, unknown>> {
  return { ...subscriptionRow(customer_id, subscription) }
}

function changeItems({ account: before, places }: LoadedAccount, after: CustomerAccount): readonly Write[] {
  const known = new Set(itemsOf(before))
  return writeItems(
    findChanged(before.subscriptions, after.subscriptions).flatMap(({ id: subscription_id, items }) =>
      assignPositions(items, places)
        .filter(({ element, position }) => !known.has(element) || places.get(element.id) !== position)
        .map(({ element, position }) => ({ ...element, subscription_id, position })),
    ),
  )
}

const addColumns = ownColumns('open_adds').filter((name) => name !== 'position' && name !== 'customer_id')
const newAdd: WriteForm = {
  name: 'new_add',
  write: (_, parameter) =>
    `insert into open_adds (customer_id, position, ${addColumns.join(', ')}) values (${parameter(1)},
      (select coalesce(max(position), 0) from open_adds where customer_id = ${parameter(1)}) + ${parameter(2)},
      ${addColumns.map((_name, place) => parameter(place + 3)).join(', ')})`,
}

/** A new add comes after all others, of which the rule may have seen none. */
function addAdds({ account: before, customer_id }: LoadedAccount, after: CustomerAccount): readonly Write[] {
  return findChanged(before.adds, after.adds).map((add, index) => {
    const values: Readonly<Record<string, unknown>> = { ...add }
    return { form: newAdd, parameters: [customer_id, index + 1, ...addColumns.map((name) => values[name])] }
  })
}

const lastSent: WriteForm = {
  name: 'last_sent',
  write: (_, parameter) =>
    `update customers set last_sent_on = ${parameter(2)}, last_sent_at = ${parameter(3)} where id = ${parameter(1)}`,
}

function changeCustomer({ account: before, customer_id }: LoadedAccount, after: CustomerAccount): readonly Write[] {
  const { last_sent_on, last_sent_at } = after
  if (last_sent_on === before.last_sent_on && last_sent_at === before.last_sent_at) return []
  return [{ form: lastSent, parameters: [customer_id, last_sent_on, last_sent_at] }]
}

function itemsOf({ subscriptions }: CustomerAccount) {
  return subscriptions.flatMap(({ items }) => items)
}

const moreUses: WriteForm = {
  name: 'more_uses',
  write: (_, parameter) =>
    `update discounts set uses = uses + ${parameter(1)}
      where code = ${parameter(2)} and (max_uses is null or uses + ${parameter(1)} <= max_uses)`,
}
const fewerUses: WriteForm = {
  name: 'fewer_uses',
  write: (_, parameter) =>
    `update discounts set uses = uses - ${parameter(1)} where code = ${parameter(2)} and uses >= ${parameter(1)}`,
}

/** Counts the uses that came and went, so that no code is used more often than it may be, even by several customers at the same moment. */
function countUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses) if (!known.has(id)) changes.set(code, (changes.get(code) ?? 0) + change)
  }
  count(after, before, 1)
  count(before, after, -1)

  // Always in the same order, so that two customers who exchange codes do not wait for each other.
  const codes = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return codes.map(([code, change]) =>
    change < 0
      ? { form: fewerUses, parameters: [-change, code] }
      : { form: moreUses, parameters: [change, code], refuse: () => new StoreError('invalid_discount_code') },
  )
}
