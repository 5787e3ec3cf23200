import { type CatalogueProduct, codeKey, type CustomerAccount, type DiscountTerms, emailKey } from '@storeport/rules'
import { type NamedInput, readShopOptions } from '@storeport/rules'
import type { Run } from './database.ts'
import { list, listOf, now, object, select, toMs } from './rows.ts'

export const { today, currency, createShop } = readShopOptions({ timeZone: 'Europe/Berlin', currency: 'EUR' })

/** The columns that StorePort writes, each as `column` or `column as field`. */
export const columns = {
  subscription: 'id, status, next_date as next_billing_date, cancelled_on, anchor_day, skipped_dates as skipped',
  line: 'id, sku as product_id, quantity, price_cents as price_minor, one_time',
  order: `id, subscription_id, status, placed_on, items_cents as items_minor, discount_cents as discount_minor,
    shipping_cents as shipping_minor, tax_cents as tax_minor, total_cents as total_minor`,
  orderLine: 'id, sku as product_id, title, quantity, price_cents as price_minor, one_time',
  use: 'id, code, used_on, subscription_id, order_id, items',
  add: `id, sku as product_id, quantity, subscription_id, line_id as item_id, order_id,
    coupon_use_id as discount_use_id`,
}

const items = list(object(columns.line), 'subscription_lines where subscription_id = s.id', 'position')
const subscription = object(
  `id, name as title, status, anchor_day, skipped_dates as skipped,
    case status when 'active' then next_date end as next_billing_date,
    case status when 'cancelled' then cancelled_on end as cancelled_on,
    shipping_cents as shipping_minor, discount_cents as order_discount_minor, tax_percent / 100 as tax_rate`,
  { interval: object('every_unit as unit, every_count as count'), items },
)
const order = object(columns.order, {
  kind: `'one_off'`,
  lines: list(object(columns.orderLine), 'order_lines where order_id = o.id', 'position'),
})
const worth = 'percent as percentage, amount_cents as amount_minor'
const kind = `case when percent is null then 'fixed_amount' else 'percentage' end`
const sent = 'from orders where customer_id = c.id and subscription_id is not null'
const account = object('email', {
  subscriptions: list(subscription, 'subscriptions s where customer_id = c.id', 'id'),
  orders: list(order, `orders o where customer_id = c.id and status = 'open'`, 'number'),
  adds: list(object(columns.add), 'storeport_adds where customer_id = c.id', 'position'),
  discount_uses: list(
    object(`${columns.use}, ${worth}`, { kind }),
    'coupon_uses join coupons using (code) where customer_id = c.id',
    'id',
  ),
  recommended: list('sku', 'recommendations where customer_id = c.id', 'rank'),
  last_sent_on: `(select max(placed_on) ${sent})`,
  last_sent_at: `(select ${toMs('max(placed_at)')} ${sent})`,
})
const product = object(
  `sku as id, price_cents as price_minor, old_price_cents as compare_at_price_minor, description,
    case when on_sale then stock else 0 end as available`,
  { title: `concat_ws(', ', p.name, v.name)`, images: listOf('image') },
)
const wanted = `variants v join products p on p.id = product_id where ? or sku = ?
  or sku in (select sku from recommendations where customer_id = c.id)
  or sku in (select sku from subscriptions s join subscription_lines on subscription_id = s.id where customer_id = c.id)`
const coupon = object(`code, expires_on, max_uses, ${worth}`, {
  kind,
  uses: '(select count(*) from coupon_uses u where u.code = k.code)',
})
const loaded = object('c.id as customer_id', {
  at: now,
  account: `case when c.id is not null then ${account} end`,
  products: list(product, wanted, 'position'),
  discount: `(select ${coupon} from coupons k where lower(code) = ?)`,
})
const base = '(select 1 as one) base left join customers c on lower(email) = ?'

/** Data that a request requires. Fields are `null` if the request names no customer or no discount code. */
export interface Loaded {
  readonly at: number
  readonly customer_id: number | null
  readonly account: CustomerAccount | null
  readonly products: readonly CatalogueProduct[]
  readonly discount: DiscountTerms | null
}

/** Loads the data of a request in one statement. If `all` is true, loads every product. */
export async function load(run: Run, named: NamedInput, all = false): Promise<Loaded> {
  const { email = '', product_id = '', discount_code = '' } = named
  const values = [all, product_id, codeKey(discount_code), emailKey(email)]
  const [row, other] = await select<Loaded>(run, loaded, base, values)
  if (!row || other) throw new Error(`customers ${row?.customer_id}, ${other?.customer_id}: email must be unique`)
  return row
}

/** Locks the customer, the open orders and the discount code until the transaction ends. */
export async function lock(tx: Run, { email = '', discount_code }: NamedInput): Promise<void> {
  const customer = 'select id from customers where lower(email) = ?'
  await tx(`${customer} for update`, [emailKey(email)])
  await tx(`select id from orders where status = 'open' and customer_id in (${customer}) for update`, [emailKey(email)])
  // Without this lock, two customers could both use the last permitted use of a code.
  const usedCode = 'select code from coupons where lower(code) = ? and max_uses is not null for update'
  if (discount_code !== undefined) await tx(usedCode, [codeKey(discount_code)])
}
