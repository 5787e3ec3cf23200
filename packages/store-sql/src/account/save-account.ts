import { StoreError } from '@storeport/core'
import { codeKey, type CustomerAccount, type DiscountUse, type Subscription } from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import { ChangedMeanwhile } from '../db/database.ts'
import { applyWrites, type Write } from '../db/writes.ts'
import type { LoadedAccount } from './load-account.ts'
import { subscriptionColumns, toStoredAdd } from './records.ts'

/**
 * Saves the changes of a rule and the column with the customer's clicks. Throws ChangedMeanwhile if subscription items or an order status were
 * changed concurrently, and StoreError `invalid_discount_code` if a discount code is used up.
 */
export async function saveAccount(
  send: Send,
  dialect: DialectName,
  loaded: LoadedAccount,
  after: CustomerAccount,
  clicks?: string,
): Promise<void> {
  const { account: before } = loaded
  const numbers = numberAdds(loaded, after)
  // Updates discount codes last, because many customers share a code and an update locks its row until the commit.
  const [count, ...moreCounts] = countDiscountUses(before.discount_uses, after.discount_uses)
  await applyWrites(send, dialect, [
    ...changeSubscriptions(dialect, loaded, after, numbers),
    ...changeOrders(loaded, after, numbers),
    ...changeCustomer(loaded, after, numbers, clicks),
    ...(count === undefined ? [] : [count]),
  ])
  for (const each of moreCounts) await applyWrites(send, dialect, [each])
}

/** Returns the number of an addition. */
type NumberOf = (id: string) => number

/**
 * Numbers new additions from `lastAdd + 1`. The loaded additions do not determine the next number, because earlier
 * additions can be missing.
 */
function numberAdds({ addNumbers, lastAdd }: LoadedAccount, after: CustomerAccount) {
  const numbers = new Map(addNumbers)
  let last = lastAdd
  for (const { id } of after.adds) if (!numbers.has(id)) numbers.set(id, ++last)
  return { of: (id: string) => numbers.get(id) ?? 0, last }
}

/**
 * Returns the statement that updates columns of a row. The id is the first parameter. `compares` names a column that
 * must still have the loaded value.
 */
function updateOf(table: string, columns: readonly string[], compares?: string): string {
  const changes = columns.map((column, place) => `${column} = $${place + 2}`).join(', ')
  const unchanged = compares === undefined ? '' : ` and ${compares} = cast($${columns.length + 2} as jsonb)`
  return `update ${table} set ${changes} where id = $1${unchanged}`
}

/** Returns one write for each changed subscription, with only the changed columns. */
function changeSubscriptions(
  dialect: DialectName,
  { account: before }: LoadedAccount,
  after: CustomerAccount,
  { of }: { readonly of: NumberOf },
): readonly Write[] {
  return after.subscriptions.flatMap((subscription): Write | readonly [] => {
    const { id } = subscription
    const known = before.subscriptions.find((each) => each.id === id)
    const names: string[] = []
    const parameters: unknown[] = [id]
    const change = (name: string, value: unknown) => {
      names.push(name)
      parameters.push(toParameter(value))
    }
    if (known !== undefined && known !== subscription) changeColumns(known, subscription, change)
    const adds = changedPart(id, before.adds, after.adds)
    if (adds !== undefined)
      change(
        'adds',
        adds.map((add) => toStoredAdd(add, of(add.id))),
      )
    const uses = changedPart(id, before.discount_uses, after.discount_uses)
    if (uses !== undefined) change('discount_uses', uses)
    if (known === undefined || names.length === 0) return []
    // On PostgreSQL, the merchant's own statements may change the items concurrently, without a lock on the customer.
    const compares = dialect === 'postgres' && names.includes('items') ? 'items' : undefined
    if (compares !== undefined) parameters.push(toParameter(known.items))
    return {
      statement: updateOf('subscriptions', names, compares),
      parameters,
      createError: () => new ChangedMeanwhile(),
    }
  })
}

/** Calls `change` for each changed column. Compares with `===`, because rules do not copy unchanged values. */
function changeColumns(
  known: Subscription,
  changed: Subscription,
  change: (name: string, value: unknown) => void,
): void {
  for (const name of subscriptionColumns) if (known[name] !== changed[name]) change(name, changed[name])
  if (known.interval === changed.interval) return
  change('interval_unit', changed.interval.unit)
  change('interval_count', changed.interval.count)
}

interface Part {
  readonly subscription_id: string | null
}

/** Returns the additions or discount uses of a subscription, or `undefined` if unchanged. */
function changedPart<Element extends Part>(
  id: string,
  before: readonly Element[],
  after: readonly Element[],
): readonly Element[] | undefined {
  if (before === after) return undefined
  const isOwn = ({ subscription_id }: Part) => subscription_id === id
  const [had, has] = [before.filter(isOwn), after.filter(isOwn)]
  return had.length === has.length && had.every((each, place) => each === has[place]) ? undefined : has
}

function toParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const orderColumns = [
  ...['id', 'kind', 'subscription_id', 'status', 'placed_on'],
  ...['items_minor', 'discount_minor', 'shipping_minor', 'tax_minor', 'total_minor', 'lines'],
  ...['payment', 'customer_id', 'discount_uses', 'added_product_id', 'add_number'],
] as const
const newOrder = `insert into orders (${orderColumns.join(', ')})
  values (${orderColumns.map((_name, place) => `$${place + 1}`).join(', ')})`
const orderStatus = 'update orders set status = $1, discount_uses = $2 where id = $3 and status = $4'

/** Returns the writes for new orders and for orders with a changed status. */
function changeOrders(
  { account: before, customer_id }: LoadedAccount,
  after: CustomerAccount,
  { of }: { readonly of: NumberOf },
): readonly Write[] {
  if (before.orders === after.orders) return []
  const unchanged = new Set(before.orders)
  return after.orders.flatMap((order): Write | readonly [] => {
    if (unchanged.has(order)) return []
    const uses = after.discount_uses.filter(({ order_id }) => order_id === order.id)
    const known = before.orders.find(({ id }) => id === order.id)
    if (known !== undefined) {
      const parameters = [order.status, JSON.stringify(uses), order.id, known.status]
      // Fulfillment does not lock the customer, so the order status may have changed since the read.
      return { statement: orderStatus, parameters, createError: () => new ChangedMeanwhile() }
    }
    const add = after.adds.find(({ order_id }) => order_id === order.id)
    const row: Readonly<Record<(typeof orderColumns)[number], unknown>> = {
      customer_id,
      payment: null,
      discount_uses: uses,
      added_product_id: add?.product_id ?? null,
      add_number: add === undefined ? null : of(add.id),
      ...order,
      ...(order.payment !== undefined && { payment: JSON.stringify(order.payment) }),
    }
    return { statement: newOrder, parameters: orderColumns.map((name) => toParameter(row[name])) }
  })
}

/** Returns a write for the changed columns of the customer, or an empty list. */
function changeCustomer(
  { account: before, customer_id, lastAdd }: LoadedAccount,
  { last_sent_on, last_sent_at, pending_charge }: CustomerAccount,
  { last }: { readonly last: number },
  clicks: string | undefined,
): readonly Write[] {
  const names: string[] = []
  const parameters: unknown[] = [customer_id]
  const compare = (name: string, had: unknown, has: unknown) => {
    if (had === has) return
    names.push(name)
    parameters.push(toParameter(has))
  }
  compare('last_sent_on', before.last_sent_on, last_sent_on)
  compare('last_sent_at', before.last_sent_at, last_sent_at)
  compare('last_add', lastAdd, last)
  compare('pending_charge', before.pending_charge ?? null, pending_charge ?? null)
  compare('clicks', undefined, clicks)
  return names.length === 0 ? [] : [{ statement: updateOf('customers', names), parameters }]
}

const moreUses =
  'update discounts set uses = uses + $1 where code_key = $2 and (max_uses is null or uses + $1 <= max_uses)'
const fewerUses = 'update discounts set uses = uses - $1 where code_key = $2 and uses >= $1'

/**
 * Returns the writes for added and removed uses of discount codes. A write throws StoreError `invalid_discount_code` if
 * the code is used up, even if several customers use the code concurrently.
 */
function countDiscountUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  if (after === before) return []
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses) {
      const key = codeKey(code)
      if (!known.has(id)) changes.set(key, (changes.get(key) ?? 0) + change)
    }
  }
  count(after, before, 1)
  count(before, after, -1)

  // Sorts the keys, to prevent deadlocks between transactions that update the same codes.
  const keys = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return keys.map(([key, change]) =>
    change < 0
      ? { statement: fewerUses, parameters: [-change, key] }
      : { statement: moreUses, parameters: [change, key], createError: () => new StoreError('invalid_discount_code') },
  )
}
