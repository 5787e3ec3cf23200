import { type CatalogueProduct, codeKey, type CustomerAccount, type DiscountTerms, emailKey } from '@storeport/rules'
import type { NamedInput } from '@storeport/rules'
import type pg from 'pg'

/** The columns that store an element of an account, each as `column` or `column as field`. */
export const columns = {
  line: 'id, sku as product_id, quantity, price_cents as price_minor, one_time',
  add: 'id, sku as product_id, quantity, subscription_id, line_id as item_id, order_id, coupon_use_id as discount_use_id',
  use: 'id, code, used_on, kind, amount_cents as amount_minor, subscription_id, line_id as item_id, order_id',
  orderLine: 'sku as product_id, title, quantity, price_cents as price_minor, one_time',
  order: `id, subscription_id, status, placed_on, items_cents as items_minor, discount_cents as discount_minor,
    shipping_cents as shipping_minor, tax_cents as tax_minor, total_cents as total_minor`,
  /** The columns of a subscription that a rule can change. */
  state: 'id, status, next_date as next_billing_date, cancelled_on, anchor_day, skipped_dates as skipped',
}

// In JSON, a date is `YYYY-MM-DD` and a `numeric` is a number. The driver would return a Date and a string.
const list = (select: string) => `coalesce((select json_agg(row) from (${select}) row), '[]')`
const one = (select: string) => `(select to_json(row) from (${select}) row)`

const account = `select email,
    ${list(`select id, name as title, status, anchor_day, skipped_dates as skipped,
        case status when 'active' then next_date end as next_billing_date,
        case status when 'cancelled' then cancelled_on end as cancelled_on,
        json_build_object('unit', every_unit, 'count', every_count) as "interval",
        shipping_cents as shipping_minor, discount_cents as order_discount_minor, tax_percent / 100 as tax_rate,
        ${list(`select ${columns.line} from subscription_lines where subscription_id = s.id order by position`)} as items
      from subscriptions s where customer_id = c.id order by id`)} as subscriptions,
    ${list(`select 'one_off' as kind, ${columns.order},
        ${list(`select ${columns.orderLine} from order_lines where order_id = o.id order by position`)} as lines
      from orders o where customer_id = c.id and status = 'open' order by number`)} as orders,
    ${list(`select ${columns.add} from storeport_adds where customer_id = c.id order by position`)} as adds,
    ${list(`select ${columns.use} from coupon_uses where customer_id = c.id`)} as discount_uses,
    array(select sku from recommendations where customer_id = c.id order by rank) as recommended, sent.*
  from (select max(placed_on) as last_sent_on, floor(extract(epoch from max(placed_at)) * 1000) as last_sent_at
    from orders where customer_id = c.id and subscription_id is not null) sent`
const products = `select sku as id, concat_ws(', ', p.name, v.name) as title, price_cents as price_minor, description,
    old_price_cents as compare_at_price_minor, array[image] as images, case when on_sale then stock else 0 end as available
  from variants v join products p on p.id = v.product_id
  where $4 or sku = $2 or sku in (select sku from recommendations where customer_id = c.id)
    or sku in (select sku from subscriptions s join subscription_lines l on subscription_id = s.id where customer_id = c.id)
  order by position`
const discount = `select code, expires_on, max_uses, percent as percentage, amount_cents as amount_minor,
    case when percent is null then 'fixed_amount' else 'percentage' end as kind,
    (select count(*) from coupon_uses u where u.code = k.code) as uses
  from coupons k where lower(code) = $3`
const statement = `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at, c.id as customer_id,
    case when c.id is not null then ${one(account)} end as account,
    ${list(products)} as products, ${one(discount)} as discount
  from (values (1)) nothing left join customers c on lower(c.email) = $1`

/** The data of a request. Without a customer or a discount code, the fields are null. */
export interface Loaded {
  readonly at: number
  readonly customer_id: string | null
  readonly account: CustomerAccount | null
  readonly products: readonly CatalogueProduct[]
  readonly discount: DiscountTerms | null
}

/** Loads the data of a request in one statement. `all` loads every product. */
export async function load(client: pg.Pool | pg.PoolClient, named: NamedInput, all: boolean): Promise<Loaded> {
  const { email = '', product_id, discount_code = '' } = named
  const parameters = [emailKey(email), product_id, codeKey(discount_code), all]
  const { rows } = await client.query<Loaded>(statement, parameters)
  const [loaded] = rows
  if (loaded === undefined) throw new Error('The statement returned no row.')
  return loaded
}
