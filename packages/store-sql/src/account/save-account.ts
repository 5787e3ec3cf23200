import { StoreError } from '@storeport/core'
import type { CustomerAccount, DiscountUse } from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import { ChangedMeanwhile } from '../db/database-errors.ts'
import { applyWrites, type Write, type WriteForm } from '../db/writes.ts'
import type { LoadedAccount } from './load-account.ts'
import { subscriptionRow } from './rows.ts'

/**
 * Saves the changes of a rule and other writes. Throws ChangedMeanwhile if subscription items or an order status were
 * changed concurrently, and StoreError `invalid_discount_code` if a discount code is used up.
 */
export async function saveAccount(
  send: Send,
  dialect: DialectName,
  loaded: LoadedAccount,
  after: CustomerAccount,
  others: readonly Write[] = [],
): Promise<void> {
  const { account: before } = loaded
  if (after === before) return applyWrites(send, dialect, others)
  const numbers = numberAdds(loaded, after)
  // Updates discount codes last, because many customers share a code and an update locks its row until the commit.
  const [count, ...moreCounts] = countDiscountUses(before.discount_uses, after.discount_uses)
  await applyWrites(send, dialect, [
    ...changeSubscriptions(dialect, loaded, after, numbers),
    ...changeOrders(loaded, after, numbers),
    ...changeCustomer(loaded, after, numbers),
    ...(count === undefined ? [] : [count]),
    ...others,
  ])
  for (const each of moreCounts) await applyWrites(send, dialect, [each])
}

type Numbers = ReadonlyMap<string, number>

/** Numbers new additions from `lastAdd + 1`, because the loaded account can lack earlier additions. */
function numberAdds({ addNumbers, lastAdd }: LoadedAccount, after: CustomerAccount): Numbers {
  const numbers = new Map(addNumbers)
  let last = lastAdd
  for (const { id } of after.adds) if (!numbers.has(id)) numbers.set(id, ++last)
  return numbers
}

/** Returns the elements of `list` that are not in `other`. Uses `===`, because rules do not copy unchanged elements. */
function onlyIn<Element>(list: readonly Element[], other: readonly Element[]): readonly Element[] {
  if (list === other) return []
  const known = new Set(other)
  return list.filter((element) => !known.has(element))
}

/** Returns one write for each changed subscription, with only the changed columns. */
function changeSubscriptions(
  dialect: DialectName,
  { account: before }: LoadedAccount,
  after: CustomerAccount,
  numbers: Numbers,
): readonly Write[] {
  const parts = [
    ...onlyIn(after.adds, before.adds),
    ...onlyIn(before.adds, after.adds),
    ...onlyIn(after.discount_uses, before.discount_uses),
    ...onlyIn(before.discount_uses, after.discount_uses),
  ]
  const touched = new Set([
    ...onlyIn(after.subscriptions, before.subscriptions).map(({ id }) => id),
    ...parts.flatMap(({ subscription_id }) => subscription_id ?? []),
  ])
  return [...touched].flatMap((id) => {
    const had = columnsOf(before, id, numbers)
    const changed = [...columnsOf(after, id, numbers)].filter(([name, value]) => had.get(name) !== value)
    if (changed.length === 0) return []
    const names = changed.map(([name]) => name)
    // On PostgreSQL, the merchant's own statements may change the items concurrently, without a lock on the customer.
    const compares = dialect === 'postgres' && names.includes('items')
    return [
      {
        form: formOf(names, compares),
        parameters: [id, ...changed.map(([, value]) => value), ...(compares ? [had.get('items')] : [])],
        createError: () => new ChangedMeanwhile(),
      },
    ]
  })
}

/** Returns the column values of a subscription as statement parameters, by column name. */
function columnsOf(
  { subscriptions, adds, discount_uses }: CustomerAccount,
  subscriptionId: string,
  numbers: Numbers,
): ReadonlyMap<string, unknown> {
  const subscription = subscriptions.find(({ id }) => id === subscriptionId)
  if (subscription === undefined) return new Map()
  const own = adds.filter(({ subscription_id }) => subscription_id === subscriptionId)
  const row = subscriptionRow(
    subscription,
    own.map((add) => ({ add, number: numbers.get(add.id) ?? 0 })),
    discount_uses.filter(({ subscription_id }) => subscription_id === subscriptionId),
  )
  return new Map(Object.entries(row).map(([name, value]) => [name, toParameter(value)]))
}

function toParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function formOf(names: readonly string[], compares: boolean): WriteForm {
  return {
    name: `subscription_${names.join('_')}`,
    write: (_, parameter) =>
      `update subscriptions set ${names.map((name, place) => `${name} = ${parameter(place + 2)}`).join(', ')}
        where id = ${parameter(1)} ${compares ? `and items = cast(${parameter(names.length + 2)} as jsonb)` : ''}`,
  }
}

const orderColumns = [
  ...['id', 'kind', 'subscription_id', 'status', 'placed_on'],
  ...['items_minor', 'discount_minor', 'shipping_minor', 'tax_minor', 'total_minor', 'lines'],
  ...['customer_id', 'discount_uses', 'added_product_id', 'add_number'],
] as const
const newOrder: WriteForm = {
  name: 'new_order',
  write: (_, parameter) =>
    `insert into orders (${orderColumns.join(', ')})
      values (${orderColumns.map((_name, place) => parameter(place + 1)).join(', ')})`,
}
const orderStatus: WriteForm = {
  name: 'order_status',
  write: (_, parameter) =>
    `update orders set status = ${parameter(1)}, discount_uses = ${parameter(2)}
      where id = ${parameter(3)} and status = ${parameter(4)}`,
}

/** Returns the writes for new orders and for orders with a changed status. */
function changeOrders(
  { account: before, customer_id }: LoadedAccount,
  after: CustomerAccount,
  numbers: Numbers,
): readonly Write[] {
  return onlyIn(after.orders, before.orders).map((order): Write => {
    const uses = after.discount_uses.filter(({ order_id }) => order_id === order.id)
    const known = before.orders.find(({ id }) => id === order.id)
    if (known !== undefined) {
      const parameters = [order.status, JSON.stringify(uses), order.id, known.status]
      // The merchant's fulfillment does not lock the customer, so the status may have changed since the read.
      return { form: orderStatus, parameters, createError: () => new ChangedMeanwhile() }
    }
    const add = after.adds.find(({ order_id }) => order_id === order.id)
    const row: Readonly<Record<(typeof orderColumns)[number], unknown>> = {
      ...order,
      customer_id,
      discount_uses: uses,
      added_product_id: add?.product_id ?? null,
      add_number: add === undefined ? null : numbers.get(add.id),
    }
    return { form: newOrder, parameters: orderColumns.map((name) => toParameter(row[name])) }
  })
}

const customerColumns: WriteForm = {
  name: 'customer_columns',
  write: (_, parameter) =>
    `update customers set last_sent_on = ${parameter(2)}, last_sent_at = ${parameter(3)}, last_add = ${parameter(4)}
      where id = ${parameter(1)}`,
}

function changeCustomer(
  { account: before, customer_id, lastAdd }: LoadedAccount,
  { last_sent_on, last_sent_at }: CustomerAccount,
  numbers: Numbers,
): readonly Write[] {
  const last = Math.max(lastAdd, ...numbers.values())
  if (last_sent_on === before.last_sent_on && last_sent_at === before.last_sent_at && last === lastAdd) return []
  return [{ form: customerColumns, parameters: [customer_id, last_sent_on, last_sent_at, last] }]
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

/**
 * Returns the writes for added and removed uses of discount codes. A write throws StoreError `invalid_discount_code` if
 * the code is used up, even if several customers use the code concurrently.
 */
function countDiscountUses(before: readonly DiscountUse[], after: readonly DiscountUse[]): readonly Write[] {
  if (after === before) return []
  const changes = new Map<string, number>()
  const count = (uses: readonly DiscountUse[], others: readonly DiscountUse[], change: number) => {
    const known = new Set(others.map(({ id }) => id))
    for (const { id, code } of uses) if (!known.has(id)) changes.set(code, (changes.get(code) ?? 0) + change)
  }
  count(after, before, 1)
  count(before, after, -1)

  // Sorts the codes, to prevent deadlocks between transactions that update the same codes.
  const codes = [...changes].filter(([, change]) => change !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return codes.map(([code, change]) =>
    change < 0
      ? { form: fewerUses, parameters: [-change, code] }
      : { form: moreUses, parameters: [change, code], createError: () => new StoreError('invalid_discount_code') },
  )
}
