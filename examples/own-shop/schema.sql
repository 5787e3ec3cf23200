-- Tables that the shop already has. A DATETIME is in the shop's local time.
alter database character set utf8mb4 collate utf8mb4_general_ci;

create table customers (
  id int auto_increment primary key,
  email varchar(254) not null,
  index customers_email (email)
);

create table products (
  id int auto_increment primary key,
  name varchar(255) not null,
  price decimal(8, 2) not null,
  stock int not null,
  images json not null
);

create table codes (
  id int auto_increment primary key,
  code varchar(64) not null,
  percent int,
  amount decimal(8, 2),
  expires_at datetime,
  index codes_code (code)
);

create table subscriptions (
  id int auto_increment primary key,
  customer_id int not null references customers (id),
  name varchar(255) not null,
  status varchar(16) not null,
  next_delivery datetime not null,
  every_weeks int not null,
  cancelled_at datetime,
  index subscriptions_customer (customer_id)
);

create table subscription_lines (
  id int auto_increment primary key,
  subscription_id int not null references subscriptions (id),
  product_id int not null references products (id),
  quantity int not null,
  index subscription_lines_subscription (subscription_id)
);

create table orders (
  id int auto_increment primary key,
  subscription_id int not null references subscriptions (id),
  status varchar(16) not null,
  placed_at datetime not null,
  total decimal(10, 2) not null,
  index orders_subscription (subscription_id)
);
