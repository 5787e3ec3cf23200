-- Tables that the shop already has.

create table customers (
  id bigint generated always as identity primary key,
  email text not null,
  name text not null
);
create unique index customers_email on customers (lower(email));

create table addresses (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers,
  street text not null,
  city text not null,
  country text not null
);

create table products (
  id bigint generated always as identity primary key,
  name text not null,
  description text,
  image text not null
);

create table variants (
  sku text primary key,
  product_id bigint not null references products,
  name text not null,
  price_cents integer not null,
  old_price_cents integer,
  stock integer not null,
  on_sale boolean not null default true,
  position integer not null
);

create table recommendations (
  customer_id bigint not null references customers,
  sku text not null references variants,
  rank integer not null,
  primary key (customer_id, rank)
);

create table subscriptions (
  id uuid primary key,
  customer_id bigint not null references customers,
  address_id bigint references addresses,
  name text not null,
  status text not null check (status in ('active', 'paused', 'cancelled')),
  next_date date,
  anchor_day smallint,
  every_count integer not null,
  every_unit text not null check (every_unit in ('day', 'week', 'month')),
  skipped_dates date[] not null default '{}',
  cancelled_on date,
  shipping_cents integer not null default 0,
  discount_cents integer not null default 0,
  tax_percent numeric(5, 2) not null default 0
);
create index subscriptions_customer on subscriptions (customer_id);
create index subscriptions_due on subscriptions (next_date) where status = 'active';

create table subscription_lines (
  id uuid primary key,
  subscription_id uuid not null references subscriptions,
  sku text not null references variants,
  quantity integer not null,
  price_cents integer not null,
  one_time boolean not null default false,
  position bigint generated always as identity,
  unique (subscription_id, sku, one_time)
);

create table orders (
  id uuid primary key,
  number bigint generated always as identity,
  customer_id bigint not null references customers,
  subscription_id uuid references subscriptions,
  status text not null check (status in ('open', 'processing', 'shipped', 'cancelled')),
  placed_on date not null,
  placed_at timestamptz not null default clock_timestamp(),
  items_cents integer not null,
  discount_cents integer not null,
  shipping_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null
);
create index orders_customer on orders (customer_id);

create table order_lines (
  id uuid primary key,
  order_id uuid not null references orders,
  sku text not null references variants,
  title text not null,
  quantity integer not null,
  price_cents integer not null,
  one_time boolean not null,
  position bigint generated always as identity
);
create index order_lines_order on order_lines (order_id);

create table coupons (
  code text primary key,
  percent numeric(5, 2),
  amount_cents integer,
  expires_on date,
  max_uses integer,
  check ((percent is null) <> (amount_cents is null))
);
create unique index coupons_code on coupons (lower(code));

create table coupon_uses (
  id uuid primary key,
  customer_id bigint not null references customers,
  code text not null references coupons,
  used_on date not null,
  kind text not null check (kind in ('percentage', 'fixed_amount')),
  amount_cents integer not null,
  subscription_id uuid references subscriptions,
  order_id uuid references orders,
  line_id uuid
);
create index coupon_uses_code on coupon_uses (code);
create index coupon_uses_customer on coupon_uses (customer_id);

create table action_log (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers,
  action text not null,
  ran_at timestamptz not null default now()
);

-- A table for StorePort: the additions that a customer can undo. `npm run setup` also creates the table of clicks.
create table storeport_adds (
  id uuid primary key,
  customer_id bigint not null references customers,
  sku text not null references variants,
  quantity integer not null,
  subscription_id uuid references subscriptions,
  line_id uuid,
  order_id uuid references orders,
  coupon_use_id uuid,
  position bigint generated always as identity
);
create index storeport_adds_customer on storeport_adds (customer_id);
