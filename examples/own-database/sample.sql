-- Sample data. `npm run setup` replaces `{+14}` with the date in 14 days, in the shop's time zone.

insert into customers (id, email, name) values
  (1, 'Reader@example.com', 'A reader with two subscriptions'),
  (2, 'writer@example.com', 'A writer with one subscription'),
  (3, 'leaver@example.com', 'A former subscriber'),
  (4, 'guest@example.com', 'A guest without subscriptions');
insert into addresses (id, customer_id, street, city, country) values
  (1, 1, '1 Harbour Street', 'Hamburg', 'DE'), (2, 2, '2 Station Road', 'Berlin', 'DE');

insert into products (id, name, description, image) values
  (1, 'Oolong', 'Half oxidized, with a taste of chestnut.', 'https://shop.example/oolong.jpg'),
  (2, 'Sencha', null, 'https://shop.example/sencha.jpg'),
  (3, 'Teapot', 'Clay, 400 ml.', 'https://shop.example/teapot.jpg'),
  (4, 'Matcha', 'Stone-ground.', 'https://shop.example/matcha.jpg');
insert into variants (sku, product_id, name, price_cents, old_price_cents, stock, position) values
  ('OOLONG-100', 1, '100 g', 1250, null, 4000, 1),
  ('SENCHA-100', 2, '100 g', 1495, 1795, 1200, 2),
  ('TEAPOT-400', 3, 'brown', 3900, null, 3000, 3),
  ('MATCHA-030', 4, '30 g', 2200, null, 0, 4);
insert into recommendations (customer_id, sku, rank) values (1, 'TEAPOT-400', 1), (1, 'OOLONG-100', 2), (1, 'SENCHA-100', 3);

insert into subscriptions
  (id, customer_id, address_id, name, status, next_date, every_count, every_unit, cancelled_on, shipping_cents, discount_cents, tax_percent)
values
  ('00000000-0000-4000-8000-000000000101', 1, 1, 'Daily tea', 'active', '{+14}', 1, 'month', null, 490, 200, 7),
  ('00000000-0000-4000-8000-000000000102', 1, 1, 'Teapots', 'active', '{+30}', 6, 'week', null, 0, 0, 19),
  ('00000000-0000-4000-8000-000000000103', 1, 1, 'Summer tea', 'paused', '{+3}', 1, 'month', null, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000201', 2, 2, 'Office tea', 'active', '{+7}', 1, 'month', null, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000202', 2, 2, 'Home tea', 'cancelled', null, 1, 'month', '{-5}', 490, 0, 7),
  ('00000000-0000-4000-8000-000000000301', 3, null, 'Two teas', 'cancelled', null, 1, 'month', '{-400}', 490, 0, 7),
  ('00000000-0000-4000-8000-000000000302', 3, null, 'Green tea', 'cancelled', null, 6, 'week', '{-20}', 490, 0, 7),
  ('00000000-0000-4000-8000-000000000303', 3, null, 'Black tea', 'cancelled', null, 1, 'month', '{-2}', 490, 0, 7);
insert into subscription_lines (id, subscription_id, sku, quantity, price_cents) values
  ('00000000-0000-4000-8000-000000000901', '00000000-0000-4000-8000-000000000101', 'OOLONG-100', 2, 1250),
  ('00000000-0000-4000-8000-000000000902', '00000000-0000-4000-8000-000000000101', 'SENCHA-100', 1, 1495),
  ('00000000-0000-4000-8000-000000000903', '00000000-0000-4000-8000-000000000102', 'TEAPOT-400', 1, 3900),
  ('00000000-0000-4000-8000-000000000904', '00000000-0000-4000-8000-000000000103', 'OOLONG-100', 5, 1250),
  ('00000000-0000-4000-8000-000000000905', '00000000-0000-4000-8000-000000000201', 'TEAPOT-400', 3, 3900),
  ('00000000-0000-4000-8000-000000000906', '00000000-0000-4000-8000-000000000202', 'OOLONG-100', 1, 1250),
  ('00000000-0000-4000-8000-000000000907', '00000000-0000-4000-8000-000000000301', 'TEAPOT-400', 1, 3900),
  ('00000000-0000-4000-8000-000000000908', '00000000-0000-4000-8000-000000000302', 'SENCHA-100', 2, 1495),
  ('00000000-0000-4000-8000-000000000909', '00000000-0000-4000-8000-000000000303', 'OOLONG-100', 1, 1250);

insert into coupons (code, percent, amount_cents, expires_on, max_uses) values
  ('Tea10', 10, null, null, null),
  ('FIVEOFF', null, 500, null, null),
  ('EXPIRED5', 5, null, '{-1}', null),
  ('LASTONE', 20, null, null, 1);
