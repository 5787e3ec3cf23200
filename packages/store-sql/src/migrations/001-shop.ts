import type { Columns } from './column-types.ts'

/** Products, discount codes, customers and their subscriptions. */
export function shopTables({ key, money, count, date, flag, decimal, json, lowered, end }: Columns): readonly string[] {
  return [
    `create table products (
      ${key('id')} primary key check (length(id) between 1 and 255),
      title text not null check (title <> ''),
      ${money('price_minor')} not null,
      ${money('compare_at_price_minor')},
      ${json('images')} not null,
      description text,
      ${flag('available')} not null,
      position integer not null
    ) ${end}`,
    `create index products_offered on products (position, id) where available`,

    `create table discounts (
      ${key('code')} primary key check (length(code) between 1 and 255),
      ${key('code_key')} not null unique,
      kind text not null,
      ${decimal('percentage')},
      ${money('amount_minor')},
      ${date('expires_on')},
      ${count('max_uses')} check (max_uses >= 0),
      ${count('uses')} not null default 0 check (uses >= 0),
      check (
        (kind = 'percentage' and percentage > 0 and percentage <= 100 and amount_minor is null) or
        (kind = 'fixed_amount' and amount_minor > 0 and percentage is null)
      )
    ) ${end}`,

    `create table customers (
      ${key('id')} primary key check (length(id) between 1 and 255),
      ${key('email')} not null check (email like '%_@_%' and length(email) <= 254),
      ${lowered('email_key', 'email')} unique,
      ${date('last_sent_on')},
      ${count('version')} not null default 0
    ) ${end}`,

    `create table recommendations (
      ${key('customer_id')} not null references customers (id) on delete cascade,
      rank integer not null,
      ${key('product_id')} not null references products (id),
      primary key (customer_id, rank)
    ) ${end}`,

    `create table subscriptions (
      ${key('id')} primary key check (length(id) between 1 and 255),
      ${key('customer_id')} not null references customers (id) on delete cascade,
      title text not null check (title <> ''),
      interval_unit text not null check (interval_unit in ('day', 'week', 'month')),
      interval_count integer not null check (interval_count >= 1),
      status text not null,
      ${date('next_billing_date')},
      ${date('cancelled_on')},
      ${money('shipping_minor')} not null,
      ${money('order_discount_minor')} not null,
      ${decimal('tax_rate')} not null check (tax_rate >= 0),
      check (
        (status = 'active' and next_billing_date is not null and cancelled_on is null) or
        (status = 'cancelled' and cancelled_on is not null and next_billing_date is null)
      )
    ) ${end}`,
    `create index subscriptions_of_customer on subscriptions (customer_id)`,

    `create table items (
      ${key('id')} primary key check (length(id) between 1 and 255),
      ${key('subscription_id')} not null references subscriptions (id) on delete cascade,
      ${key('product_id')} not null references products (id),
      ${count('quantity')} not null check (quantity >= 1),
      ${money('price_minor')} not null,
      ${flag('one_time')} not null,
      position integer not null
    ) ${end}`,
    `create index items_of_subscription on items (subscription_id, position)`,
  ]
}
