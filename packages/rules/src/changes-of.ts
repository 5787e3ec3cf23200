import type {
  CustomerAccount,
  DiscountUse,
  Item,
  OpenAdd,
  Order,
  OrderLine,
  Subscription,
} from './account/customer-account.ts'

/** The records of an account, by kind. Each record contains the ids of its parents, and no other record. */
export interface AccountRecords {
  /** The fields of the customer. The id is the email. A rule only changes them. */
  readonly customer: Required<Pick<CustomerAccount, 'last_sent_on' | 'last_sent_at' | 'pending_charge'>>
  readonly subscription: WithoutItems<Subscription>
  readonly order: Omit<Order, 'lines'>
  readonly item: Item & { readonly subscription_id: string }
  /** `id` is the id of the order and the position, which begins with 1. */
  readonly order_line: OrderLine & { readonly id: string; readonly order_id: string; readonly position: number }
  readonly discount_use: DiscountUse
  readonly add: OpenAdd
}

/** Kind of a record. */
export type RecordKind = keyof AccountRecords

/** The change of one record. `values` is the complete new record. */
export type RecordChange<Kind extends RecordKind = RecordKind> = {
  readonly [Each in Kind]:
    | {
        readonly kind: Each
        readonly operation: 'insert' | 'update'
        readonly id: string
        readonly values: AccountRecords[Each]
      }
    | { readonly kind: Each; readonly operation: 'delete'; readonly id: string }
}[Kind]

type WithoutItems<Each> = Each extends unknown ? Omit<Each, 'items'> : never

/** Kinds of records, parents before children. */
const kinds = ['customer', 'subscription', 'order', 'item', 'order_line', 'discount_use', 'add'] as const

/**
 * Returns the differences between two accounts of one customer, in a sequence in which a store can write them: first the
 * deletions, children before parents, and then the other changes, parents before children.
 */
export function changesOf(before: CustomerAccount, after: CustomerAccount): readonly RecordChange[] {
  if (before === after) return []
  const deletions = kinds.toReversed().flatMap((kind) => deletionsOf(kind, before, after))
  return [...deletions, ...kinds.flatMap((kind) => writesOf(kind, before, after))]
}

function deletionsOf(kind: RecordKind, before: CustomerAccount, after: CustomerAccount): readonly RecordChange[] {
  const kept = records[kind](after)
  return [...records[kind](before).keys()].flatMap((id) => (kept.has(id) ? [] : { kind, operation: 'delete', id }))
}

function writesOf(kind: RecordKind, before: CustomerAccount, after: CustomerAccount): readonly RecordChange[] {
  const known = records[kind](before)
  return [...records[kind](after)].flatMap(([id, values]) => {
    const stored = known.get(id)
    if (stored !== undefined && isEqual(stored, values)) return []
    // oxlint-disable-next-line typescript/consistent-type-assertions -- `records` returns the values of the kind
    return { kind, operation: stored === undefined ? 'insert' : 'update', id, values } as RecordChange
  })
}

/** Rules copy only the values that they change. An omitted value is null. */
function isEqual(stored: object, values: object): boolean {
  const [known, found] = [new Map<string, unknown>(Object.entries(stored)), new Map(Object.entries(values))]
  return [...known.keys(), ...found.keys()].every((field) => (known.get(field) ?? null) === (found.get(field) ?? null))
}

type Records = ReadonlyMap<string, object>

const records: Readonly<Record<RecordKind, (account: CustomerAccount) => Records>> = {
  customer: ({ email, last_sent_on, last_sent_at, pending_charge = null }) =>
    new Map([[email, { last_sent_on, last_sent_at, pending_charge }]]),
  subscription: ({ subscriptions }) => byId(subscriptions.map(({ items: _, ...subscription }) => subscription)),
  order: ({ orders }) => byId(orders.map(({ lines: _, ...order }) => order)),
  item: ({ subscriptions }) =>
    byId(subscriptions.flatMap(({ id, items }) => items.map((item) => ({ ...item, subscription_id: id })))),
  order_line: ({ orders }) =>
    byId(
      orders.flatMap(({ id, lines }) =>
        lines.map((line, index) => ({ ...line, id: `${id}/${index + 1}`, order_id: id, position: index + 1 })),
      ),
    ),
  discount_use: ({ discount_uses }) => byId(discount_uses),
  add: ({ adds }) => byId(adds),
}

function byId(list: readonly { readonly id: string }[]): Records {
  return new Map(list.map((each) => [each.id, each]))
}
