import type { Columns } from './column-types.ts'

/** Orders, uses of discount codes, adds that can be taken back, custom actions. */
export function orderTables({ key, money, count, date, flag, growing, end, endOfGrowing }: Columns): readonly string[] {
  return [
    `create table orders (
      ${growing('number')},
      ${key('id')} not null unique check (length(id) between 1 and 255),
      ${key('customer_id')} not null references customers (id),
      kind text not null check (kind in ('subscription', 'one_off')),
      ${key('subscription_id')} references subscriptions (id),
      status text not null check (status in ('open', 'processing', 'shipped', 'cancelled')),
      ${date('placed_on')} not null,
      ${money('items_minor')} not null,
      ${money('discount_minor')} not null check (discount_minor <= items_minor),
      ${money('shipping_minor')} not null,
      ${money('tax_minor')} not null,
      ${money('total_minor')} not null,
      check ((kind = 'subscription') = (subscription_id is not null)),
      check (total_minor = items_minor - discount_minor + tax_minor + shipping_minor)
    ) ${endOfGrowing}`,
    `create index orders_of_customer on orders (customer_id, number)`,
    `create index open_orders_of_customer on orders (customer_id) where status = 'open'`,
    `create index orders_by_status on orders (status, number)`,

    `create table order_lines (
      ${key('order_id')} not null references orders (id) on delete cascade,
      position integer not null,
      ${key('product_id')} not null references products (id),
      title text not null,
      ${count('quantity')} not null check (quantity >= 1),
      ${money('price_minor')} not null,
      ${flag('one_time')} not null,
      primary key (order_id, position)
    ) ${end}`,

    `create table discount_uses (
      ${key('id')} primary key,
      ${key('code')} not null references discounts (code),
      ${key('subscription_id')} references subscriptions (id) on delete cascade,
      ${key('item_id')} references items (id) on delete set null,
      ${key('order_id')} references orders (id) on delete cascade,
      ${date('used_on')} not null,
      kind text not null check (kind in ('percentage', 'fixed_amount')),
      ${money('amount_minor')} not null,
      check ((subscription_id is null) <> (order_id is null))
    ) ${end}`,
    `create index discount_uses_of_subscription on discount_uses (subscription_id) where subscription_id is not null`,
    `create index discount_uses_of_order on discount_uses (order_id) where order_id is not null`,
    `create index discount_uses_of_item on discount_uses (item_id) where item_id is not null`,

    `create table open_adds (
      ${key('id')} primary key,
      ${key('customer_id')} not null references customers (id) on delete cascade,
      ${key('product_id')} not null references products (id),
      ${count('quantity')} not null check (quantity >= 1),
      ${key('subscription_id')} references subscriptions (id) on delete cascade,
      ${key('item_id')} references items (id) on delete cascade,
      ${key('order_id')} references orders (id) on delete cascade,
      ${key('discount_use_id')} references discount_uses (id) on delete set null,
      position integer not null,
      check ((subscription_id is null) = (item_id is null)),
      check ((item_id is null) <> (order_id is null))
    ) ${end}`,
    `create index open_adds_of_customer on open_adds (customer_id, position)`,
    `create index open_adds_of_item on open_adds (item_id) where item_id is not null`,
    `create index open_adds_of_order on open_adds (order_id) where order_id is not null`,
    `create index open_adds_of_discount_use on open_adds (discount_use_id) where discount_use_id is not null`,

    `create table actions (
      ${key('id')} primary key check (length(id) between 1 and 255)
    ) ${end}`,

    `create table actions_run (
      ${growing('number')},
      ${key('customer_id')} not null references customers (id) on delete cascade,
      action_id text not null,
      ${date('run_on')} not null
    ) ${endOfGrowing}`,
    `create index actions_run_of_customer on actions_run (customer_id, number)`,
  ]
}
