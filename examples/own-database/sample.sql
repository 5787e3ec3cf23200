-- Sample data. Dates are relative to the current date of the shop's time zone.
set time zone 'Europe/Berlin';

insert into customers (id, email, name) overriding system value values
  (1, 'Reader@example.com', 'A reader with two subscriptions'),
  (2, 'writer@example.com', 'A writer with one subscription'),
  (3, 'leaver@example.com', 'A former subscriber'),
  (4, 'guest@example.com', 'A guest without subscriptions');
insert into addresses (id, customer_id, street, city, country) overriding system value values
  (1, 1, '1 Harbour Street', 'Hamburg', 'DE'), (2, 2, '2 Station Road', 'Berlin', 'DE');

insert into products (id, name, description, image) overriding system value values
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
  ('00000000-0000-4000-8000-000000000101', 1, 1, 'Daily tea', 'active', current_date + 14, 1, 'month', null, 490, 200, 7),
  ('00000000-0000-4000-8000-000000000102', 1, 1, 'Teapots', 'active', current_date + 30, 6, 'week', null, 0, 0, 19),
  ('00000000-0000-4000-8000-000000000103', 1, 1, 'Summer tea', 'paused', current_date + 3, 1, 'month', null, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000201', 2, 2, 'Office tea', 'active', current_date + 7, 1, 'month', null, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000202', 2, 2, 'Home tea', 'cancelled', null, 1, 'month', current_date - 5, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000301', 3, null, 'Two teas', 'cancelled', null, 1, 'month', current_date - 400, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000302', 3, null, 'Green tea', 'cancelled', null, 6, 'week', current_date - 20, 490, 0, 7),
  ('00000000-0000-4000-8000-000000000303', 3, null, 'Black tea', 'cancelled', null, 1, 'month', current_date - 2, 490, 0, 7);
insert into subscription_lines (id, subscription_id, sku, quantity, price_cents) values
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000101', 'OOLONG-100', 2, 1250),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000101', 'SENCHA-100', 1, 1495),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000102', 'TEAPOT-400', 1, 3900),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000103', 'OOLONG-100', 5, 1250),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000201', 'TEAPOT-400', 3, 3900),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000202', 'OOLONG-100', 1, 1250),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000301', 'TEAPOT-400', 1, 3900),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000302', 'SENCHA-100', 2, 1495),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000303', 'OOLONG-100', 1, 1250);

insert into coupons (code, percent, amount_cents, expires_on, max_uses) values
  ('Tea10', 10, null, null, null),
  ('FIVEOFF', null, 500, null, null),
  ('EXPIRED5', 5, null, current_date - 1, null),
  ('LASTONE', 20, null, null, 1);
set time zone default;
