import { codeKey, emailKey, type NamedInput } from '@storeport/rules'
import { type Db, db } from './database.ts'
import type { Prisma } from './generated/client.ts'
import { throwUnavailable } from './unavailable.ts'

const accountRows = {
  subscriptions: { orderBy: { id: 'asc' }, include: { lines: { orderBy: { position: 'asc' } } } },
  orders: {
    where: { status: 'open' },
    orderBy: { number: 'asc' },
    include: { lines: { orderBy: { position: 'asc' } } },
  },
  adds: { orderBy: { position: 'asc' } },
  uses: { orderBy: { id: 'asc' }, include: { coupon: true } },
  recommendations: { orderBy: { rank: 'asc' } },
} as const satisfies Prisma.customersInclude

export type CustomerRow = Prisma.customersGetPayload<{ include: typeof accountRows }> & Omit<FoundCustomer, 'id'>
export type VariantRow = Prisma.variantsGetPayload<{ include: { product: true } }>
export type CouponRow = Prisma.couponsGetPayload<object>

interface FoundCustomer {
  readonly id: bigint
  readonly at: number
  readonly last_sent_on: string | null
  readonly last_sent_at: number | null
}

/** Loads a customer with all rows of the account. The first statement uses the index on `lower(email)`. */
export async function findCustomer(tx: Db, email: string): Promise<CustomerRow | undefined> {
  const [found, other] = await tx.$queryRaw<FoundCustomer[]>`
    select c.id, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at,
      max(placed_on)::text as last_sent_on, floor(extract(epoch from max(placed_at)) * 1000)::float8 as last_sent_at
    from customers c left join orders o on o.customer_id = c.id and o.subscription_id is not null
    where lower(c.email) = ${emailKey(email)} group by c.id`
  if (found === undefined) return undefined
  if (other !== undefined) throw new Error(`customers ${found.id}, ${other.id}: email must be unique`)
  const row = await tx.customers.findUniqueOrThrow({ where: { id: found.id }, include: accountRows })
  return { ...row, ...found }
}

/** Loads products, or all products if `skus` is undefined. */
export function findVariants(tx: Db, skus: string[] | undefined) {
  const where = skus === undefined ? {} : { sku: { in: skus } }
  return tx.variants.findMany({ where, orderBy: { position: 'asc' }, include: { product: true } })
}

/** Loads a discount code with the number of its uses. */
export async function findCoupon(tx: Db, discountCode: string) {
  const [found] = await tx.$queryRaw<{ code: string }[]>`
    select code from coupons where lower(code) = ${codeKey(discountCode)}`
  if (found === undefined) return undefined
  const coupon = await tx.coupons.findUniqueOrThrow({ where: { code: found.code } })
  return { ...coupon, uses: await tx.coupon_uses.count({ where: { code: found.code } }) }
}

/** Locks the customer, the open orders and the discount code until the transaction ends. */
export async function lock(tx: Db, { email = '', discount_code }: NamedInput): Promise<void> {
  await tx.$queryRaw`select id from customers where lower(email) = ${emailKey(email)} for update`
  await tx.$queryRaw`select id from orders where status = 'open'
    and customer_id in (select id from customers where lower(email) = ${emailKey(email)}) for update`
  // Without this lock, two customers could both use the last permitted use of a code.
  if (discount_code === undefined) return
  const code = codeKey(discount_code)
  await tx.$queryRaw`select code from coupons where lower(code) = ${code} and max_uses is not null for update`
}

/** Returns the emails of the customers with a due subscription or a pending charge, for the billing job. */
export async function findDue(today: string): Promise<readonly string[]> {
  const due = { subscriptions: { some: { status: 'active', next_date: { lte: new Date(today) } } } }
  const pending = db.$queryRaw<{ email: string }[]>`select email from customers where pending_charge is not null`
  const rows = await db.customers.findMany({ where: due, select: { email: true } }).catch(throwUnavailable)
  return [...new Set([...rows, ...(await pending)].map(({ email }) => email))]
}
