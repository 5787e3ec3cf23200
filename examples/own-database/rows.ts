import { codeKey, emailKey, type NamedInput } from '@storeport/rules'
import { and, asc, eq, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import { type Db, db } from './database.ts'
import { coupon_uses, coupons, customers, orders, subscriptions, variants } from './schema.ts'
import { throwUnavailable } from './unavailable.ts'

export type CustomerRow = NonNullable<Awaited<ReturnType<typeof findCustomer>>>
export type VariantRow = Awaited<ReturnType<typeof findVariants>>[number]
export type CouponRow = typeof coupons.$inferSelect

const hasEmail = (email: string) => eq(sql`lower(${customers.email})`, emailKey(email))
const hasCode = (code: string) => eq(sql`lower(${coupons.code})`, codeKey(code))
const sent = sql`from orders where customer_id = ${customers.id} and subscription_id is not null`
const ms = (time: string) => sql.raw(`floor(extract(epoch from ${time}) * 1000)::float8`)

/** Loads a customer with all rows of the account in one statement, with the time of the database. */
export async function findCustomer(tx: Db, email: string) {
  const [customer, other] = await tx.query.customers.findMany({
    where: hasEmail(email),
    limit: 2,
    extras: {
      at: sql<number>`${ms('clock_timestamp()')}`.as('at'),
      last_sent_on: sql<string | null>`(select max(placed_on)::text ${sent})`.as('last_sent_on'),
      last_sent_at: sql<number | null>`(select ${ms('max(placed_at)')} ${sent})`.as('last_sent_at'),
    },
    with: {
      subscriptions: { orderBy: (row) => asc(row.id), with: { lines: { orderBy: (row) => asc(row.position) } } },
      orders: {
        where: eq(orders.status, 'open'),
        orderBy: (row) => asc(row.number),
        with: { lines: { orderBy: (row) => asc(row.position) } },
      },
      adds: { orderBy: (row) => asc(row.position) },
      uses: { orderBy: (row) => asc(row.id), with: { coupon: true } },
      recommendations: { orderBy: (row) => asc(row.rank) },
    },
  })
  if (customer && other) throw new Error(`customers ${customer.id}, ${other.id}: email must be unique`)
  return customer
}

/** Loads products, or all products if `skus` is undefined. */
export function findVariants(tx: Db, skus: string[] | undefined) {
  const where = skus && inArray(variants.sku, skus)
  return tx.query.variants.findMany({ where, orderBy: asc(variants.position), with: { product: true } })
}

/** Loads a discount code with the number of its uses. */
export async function findCoupon(tx: Db, code: string) {
  const [coupon] = await tx.select().from(coupons).where(hasCode(code))
  return coupon && { ...coupon, uses: await tx.$count(coupon_uses, eq(coupon_uses.code, coupon.code)) }
}

/** Locks the customer, the open orders and the discount code until the transaction ends. */
export async function lock(tx: Db, { email = '', discount_code }: NamedInput): Promise<void> {
  const found = await tx.select({ id: customers.id }).from(customers).where(hasEmail(email)).for('update')
  const isOpen = and(
    inArray(
      orders.customer_id,
      found.map(({ id }) => id),
    ),
    eq(orders.status, 'open'),
  )
  await tx.select({ id: orders.id }).from(orders).where(isOpen).for('update')
  // Without this lock, two customers could both use the last permitted use of a code.
  if (discount_code === undefined) return
  const isLimited = and(hasCode(discount_code), isNotNull(coupons.max_uses))
  await tx.select({ code: coupons.code }).from(coupons).where(isLimited).for('update')
}

/** Returns the emails of the customers with a due subscription or a pending charge, for the billing job. */
export async function findDue(today: string): Promise<readonly string[]> {
  const isDue = and(eq(subscriptions.status, 'active'), lte(subscriptions.next_date, today))
  const due = db.select({ id: subscriptions.customer_id }).from(subscriptions).where(isDue)
  const rows = await db
    .select({ email: customers.email })
    .from(customers)
    .where(or(inArray(customers.id, due), isNotNull(customers.pending_charge)))
    .catch(throwUnavailable)
  return rows.map(({ email }) => email)
}
