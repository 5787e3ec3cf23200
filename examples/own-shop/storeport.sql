-- Stage 1: the clicks. This is the result of sqlLedgerTable('mysql').
create table if not exists storeport_clicks (
  id varchar(255) character set ascii collate ascii_bin not null primary key,
  version varchar(255) character set ascii collate ascii_bin not null,
  document mediumtext not null,
  expires_at bigint not null,
  index storeport_clicks_expires_at (expires_at)
) engine = InnoDB default character set utf8mb4;

-- Stage 3: lines that are only for the next order, and the adds that can be undone. A code of a swap
-- or a reactivation is a row without a product.
alter table subscription_lines add column one_time boolean not null default false;
create table storeport_adds (
  id int auto_increment primary key,
  subscription_id int not null,
  line_id int not null references subscription_lines (id) on delete cascade,
  product_id int,
  quantity int not null,
  code_id int references codes (id),
  index storeport_adds_line (line_id),
  index storeport_adds_subscription (subscription_id)
);
