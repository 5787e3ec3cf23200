-- Emails and names can contain every character.
alter database character set utf8mb4;

-- Tables that the shop already has.
create table customers (
  id bigint auto_increment primary key,
  email varchar(255) not null,
  name text not null,
  unique index customers_email (email)
);

create table addresses (
  id bigint auto_increment primary key,
  customer_id bigint not null references customers (id),
  street text not null,
  city text not null,
  country text not null
);

create table products (
  id bigint auto_increment primary key,
  name text not null,
  description text,
  image text not null
);

create table variants (
  sku varchar(64) primary key,
  product_id bigint not null references products (id),
  name text not null,
  price_cents integer not null,
  old_price_cents integer,
  stock integer not null,
  on_sale boolean not null default true,
  position integer not null
);

create table recommendations (
  customer_id bigint not null references customers (id),
  sku varchar(64) not null references variants (sku),
  rank integer not null,
  primary key (customer_id, rank)
);

create table subscriptions (
  id uuid primary key,
  customer_id bigint not null references customers (id),
  address_id bigint references addresses (id),
  name text not null,
  status varchar(16) not null check (status in ('active', 'paused', 'cancelled')),
  next_date date,
  anchor_day smallint,
  every_count integer not null,
  every_unit varchar(8) not null check (every_unit in ('day', 'week', 'month')),
  skipped_dates json not null default '[]',
  cancelled_on date,
  shipping_cents integer not null default 0,
  discount_cents integer not null default 0,
  tax_percent decimal(5, 2) not null default 0,
  index subscriptions_due (status, next_date)
);

create table subscription_lines (
  id uuid primary key,
  subscription_id uuid not null references subscriptions (id),
  sku varchar(64) not null references variants (sku),
  quantity integer not null,
  price_cents integer not null,
  one_time boolean not null default false,
  position bigint auto_increment,
  index (position),
  unique (subscription_id, sku, one_time)
);

create table orders (
  id uuid primary key,
  number bigint auto_increment,
  customer_id bigint not null references customers (id),
  subscription_id uuid references subscriptions (id),
  status varchar(16) not null check (status in ('open', 'processing', 'shipped', 'cancelled')),
  placed_on date not null,
  placed_at timestamp(3) not null default current_timestamp(3),
  items_cents integer not null,
  discount_cents integer not null,
  shipping_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  index (number)
);

create table order_lines (
  id uuid primary key,
  order_id uuid not null references orders (id),
  sku varchar(64) not null references variants (sku),
  title text not null,
  quantity integer not null,
  price_cents integer not null,
  one_time boolean not null,
  position bigint auto_increment,
  index (position)
);

create table coupons (
  code varchar(64) primary key,
  percent decimal(5, 2),
  amount_cents integer,
  expires_on date,
  max_uses integer,
  check ((percent is null) <> (amount_cents is null))
);

create table coupon_uses (
  id uuid primary key,
  customer_id bigint not null references customers (id),
  code varchar(64) not null references coupons (code),
  used_on date not null,
  subscription_id uuid references subscriptions (id),
  order_id uuid references orders (id),
  items json not null
);

create table action_log (
  id bigint auto_increment primary key,
  customer_id bigint not null references customers (id),
  action text not null,
  ran_at timestamp(3) not null default current_timestamp(3)
);

-- A table for StorePort: the additions that a customer can undo. `npm run setup` also creates the table of clicks.
create table storeport_adds (
  id uuid primary key,
  customer_id bigint not null references customers (id),
  sku varchar(64) not null references variants (sku),
  quantity integer not null,
  subscription_id uuid references subscriptions (id),
  line_id uuid,
  order_id uuid references orders (id),
  coupon_use_id uuid,
  position bigint auto_increment,
  index (position)
);
