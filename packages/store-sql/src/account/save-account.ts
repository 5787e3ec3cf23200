import type { CustomerAccount } from '@storeport/rules'
import type { NewJsonRow } from '../columns.ts'
import type { DialectName, Send } from '../db/connections.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import { makeChanges, type Write, type WriteForm } from '../db/writes.ts'
import { changeOrders } from './change-orders.ts'
import { countDiscountUses } from './count-discount-uses.ts'
import { assignPositions, findChanged, findRemoved } from './differences.ts'
import type { LoadedAccount } from './load-account.ts'
import { ownColumns, prepareRemoval, prepareRows } from './row-writes.ts'
import { subscriptionRow } from './subscription-row.ts'

/**
 * Saves what a rule changed, with other writes of its transaction; throws ChangedMeanwhile when somebody has taken an order that the rule saw open, and
 * StoreError `invalid_discount_code` when a code was used up meanwhile.
 */
export async function saveAccount(
  send: Send,
  dialect: DialectName,
  loaded: LoadedAccount,
  after: CustomerAccount,
  others: readonly Write[] = [],
): Promise<void> {
  const { account: before } = loaded
  if (after === before) return makeChanges(send, dialect, others)
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
  const counts = countDiscountUses(before.discount_uses, after.discount_uses)

  const [count, ...moreCounts] = counts
  const last = count === undefined ? changes : [...changes, count]
  await makeChanges(send, dialect, last.length === 0 ? [...removals, ...others] : removals)
  if (last.length > 0) await makeChanges(send, dialect, [...last, ...others])
  for (const other of moreCounts) await makeChanges(send, dialect, [other])
}

const removeAdds = prepareRemoval('open_adds')
const removeUses = prepareRemoval('discount_uses')
const removeItems = prepareRemoval('items')
const writeItems = prepareRows('items', ['id', 'subscription_id'])
const writeUses = prepareRows('discount_uses', ['id', 'code', 'used_on', 'kind', 'amount_minor'])

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
    const known = before.subscriptions.find(({ id }) => id === subscription.id)
    if (known !== undefined && isSame(known, subscription, 'items')) return []
    const row: Readonly<Record<string, unknown>> = subscriptionRow(customer_id, subscription)
    return [{ form: subscriptionColumns, parameters: [subscription.id, ...changedColumns.map((name) => row[name])] }]
  })
}

/** Whether two records differ in one field only. */
function isSame<Fields extends object>(one: Fields, other: Fields, but: keyof Fields): boolean {
  const had = new Map<string, unknown>(Object.entries(one))
  return Object.entries(other).every(([field, value]) => field === but || value === had.get(field))
}

const itemQuantity: WriteForm = {
  name: 'item_quantity',
  write: (_, parameter) => `update items set quantity = ${parameter(2)} where id = ${parameter(1)}`,
}

/** An item that only grows keeps its places in the indexes: a row that is written anew would leave and enter each. */
function changeItems({ account: before, places }: LoadedAccount, after: CustomerAccount): readonly Write[] {
  const known = new Map(itemsOf(before).map((item) => [item.id, item]))
  const rows: NewJsonRow<'items'>[] = []
  const quantities: Write[] = []
  for (const { id: subscription_id, items } of findChanged(before.subscriptions, after.subscriptions)) {
    for (const { element, position } of assignPositions(items, places)) {
      const had = known.get(element.id)
      const isThere = had !== undefined && places.get(element.id) === position
      if (isThere && had === element) continue
      if (isThere && isSame(had, element, 'quantity')) {
        // The merchant's own statements lock no customer: one may have taken it away.
        const refuse = () => new ChangedMeanwhile()
        quantities.push({ form: itemQuantity, parameters: [element.id, element.quantity], refuse })
      } else rows.push({ ...element, subscription_id, position })
    }
  }
  return [...quantities, ...writeItems(rows)]
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
