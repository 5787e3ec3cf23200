-- Tables and test data of the shops in this folder. Each table that a request changes is changed in one transaction.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;

CREATE TABLE customers (email TEXT PRIMARY KEY COLLATE NOCASE, last_order_at INTEGER);
CREATE TABLE products (
  id TEXT PRIMARY KEY, title TEXT NOT NULL, cents INTEGER NOT NULL, compare_at_cents INTEGER, image TEXT NOT NULL,
  description TEXT, available INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE recommendations (email TEXT COLLATE NOCASE REFERENCES customers, rank INTEGER, product_id TEXT REFERENCES products);
CREATE TABLE discounts (code TEXT PRIMARY KEY COLLATE NOCASE, percent INTEGER, cents INTEGER, expires_on TEXT);
CREATE TABLE actions (id TEXT PRIMARY KEY);
CREATE TABLE action_runs (action_id TEXT NOT NULL REFERENCES actions, email TEXT NOT NULL REFERENCES customers);

-- The interval is a number of months or days. A cancelled subscription has `cancelled_on` and no billing date.
CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE REFERENCES customers, title TEXT NOT NULL, months INTEGER, days INTEGER,
  next_billing_date TEXT, cancelled_on TEXT, shipping_cents INTEGER DEFAULT 0, discount_cents INTEGER DEFAULT 0, tax_rate REAL DEFAULT 0
);
CREATE TABLE lines (
  id INTEGER PRIMARY KEY, subscription_id TEXT NOT NULL REFERENCES subscriptions, product_id TEXT NOT NULL REFERENCES products,
  quantity INTEGER NOT NULL, once INTEGER NOT NULL DEFAULT 0, UNIQUE (subscription_id, product_id, once)
);
-- Adds that can be undone. An add without a subscription is a separate order.
CREATE TABLE adds (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE REFERENCES customers, subscription_id TEXT REFERENCES subscriptions,
  product_id TEXT NOT NULL REFERENCES products, quantity INTEGER NOT NULL, once INTEGER NOT NULL
);
-- Reductions of the next order by discount codes, with the add that they belong to. A fixed code counts once for an order.
CREATE TABLE reductions (subscription_id TEXT REFERENCES subscriptions, cents INTEGER NOT NULL, add_id INTEGER, fixed_code TEXT);

-- Requests that succeeded. `id` is the operation with the Idempotency-Key. Without a key, it is the digest of the request.
CREATE TABLE clicks (
  id TEXT PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE REFERENCES customers, request TEXT NOT NULL, expires_at INTEGER NOT NULL
);

-- Subscriptions with their status, totals in cents, and the billing date after an order today. A short month has its last day.
CREATE VIEW subscription_details AS
  SELECT *, CASE WHEN cancelled_on IS NULL THEN 'active' WHEN cancelled_on > date('now', '-1 years') THEN 'cancelled' ELSE 'expired' END AS status,
    (SELECT sum(cents * quantity) FROM lines JOIN products p ON p.id = product_id WHERE subscription_id = s.id) AS total_cents,
    discount_cents + (SELECT coalesce(sum(cents), 0) FROM (
      SELECT cents FROM reductions WHERE subscription_id = s.id GROUP BY coalesce(fixed_code, rowid))) AS reduction_cents,
    iif(months IS NULL, date('now', days || ' days'), min(
      date('now', months || ' months'), date('now', 'start of month', (months + 1) || ' months', '-1 days'))) AS following_date
  FROM subscriptions s;
-- The active subscription with the earliest billing date of each customer.
CREATE VIEW current AS
  SELECT *, EXISTS (SELECT 1 FROM customers c WHERE c.email = d.email AND
    last_order_at >= min(unixepoch('now', '-1 hours'), unixepoch('now', 'start of day'))) AS ordered_today
  FROM subscription_details d WHERE id = (
    SELECT id FROM subscriptions s WHERE s.email = d.email AND cancelled_on IS NULL ORDER BY next_billing_date, id LIMIT 1);
CREATE TRIGGER delete_empty_lines AFTER UPDATE ON lines WHEN new.quantity < 1 BEGIN DELETE FROM lines WHERE id = new.id; END;
CREATE VIEW items AS
  SELECT l.id AS line_id, subscription_id, product_id || iif(once, '~once', '') AS id, product_id, title, cents, image, description, quantity, once
  FROM lines l JOIN products p ON p.id = product_id ORDER BY l.id;
CREATE VIEW valid_discounts AS SELECT * FROM discounts WHERE expires_on IS NULL OR expires_on >= date('now');
-- Recommendations, best first, without the recurring products in the current subscription.
CREATE VIEW recommended AS
  SELECT r.email, p.* FROM recommendations r JOIN products p ON p.id = product_id WHERE available AND p.id NOT IN (
    SELECT product_id FROM lines l JOIN current c ON c.id = l.subscription_id WHERE c.email = r.email AND NOT once)
  ORDER BY rank;

INSERT INTO customers (email) VALUES
  ('test@example.com'), ('subscription@example.com'), ('cancelled@example.com'), ('another@example.com');
INSERT INTO products VALUES
  ('test_12345', 'House Espresso, 500 g', 1995, NULL, 'https://shop.example/images/test_12345.svg', 'Dark chocolate and hazelnut.', 1),
  ('test_67890', 'Single Origin Ethiopia, 500 g', 2995, 3995, 'https://shop.example/images/test_67890.svg', 'Jasmine and lemon.', 1),
  ('test_54321', 'Hand Grinder', 4995, NULL, 'https://shop.example/images/test_54321.svg', 'Steel burrs.', 1),
  ('test_00000', 'Stoneware Mug', 995, NULL, 'https://shop.example/images/test_00000.svg', NULL, 0);
INSERT INTO recommendations VALUES
  ('subscription@example.com', 1, 'test_54321'), ('subscription@example.com', 2, 'test_12345'), ('subscription@example.com', 3, 'test_67890');
INSERT INTO discounts VALUES
  ('TEST10', 10, NULL, NULL), ('TEST20', 20, NULL, NULL), ('COMEBACK15', 15, NULL, NULL), ('FIVEOFF', NULL, 500, NULL),
  ('EXPIRED5', 5, NULL, date('now', '-1 days'));
INSERT INTO actions VALUES
  ('claim_discount_10off'), ('join_waitlist_product_123'), ('change_to_quarterly'), ('register_webinar_march');
INSERT INTO subscriptions (id, email, title, months, days, next_billing_date, cancelled_on) VALUES
  ('sub_1001', 'subscription@example.com', 'Every month', 1, NULL, date('now', '+14 days'), NULL),
  ('sub_1002', 'subscription@example.com', 'Every 6 weeks', NULL, 42, date('now', '+30 days'), NULL),
  ('sub_2003', 'cancelled@example.com', 'Every month', 1, NULL, NULL, date('now', '-2 days')),
  ('sub_2002', 'cancelled@example.com', 'Every 6 weeks', NULL, 42, NULL, date('now', '-20 days')),
  ('sub_2001', 'cancelled@example.com', 'Every month', 1, NULL, NULL, date('now', '-400 days')),
  ('sub_3001', 'another@example.com', 'Every month', 1, NULL, date('now', '+7 days'), NULL),
  ('sub_3002', 'another@example.com', 'Every month', 1, NULL, NULL, date('now', '-5 days'));
UPDATE subscriptions SET shipping_cents = 599, discount_cents = 500, tax_rate = 0.08 WHERE id = 'sub_1001';
INSERT INTO lines (subscription_id, product_id, quantity) VALUES
  ('sub_1001', 'test_12345', 2), ('sub_1001', 'test_67890', 1), ('sub_1002', 'test_54321', 1), ('sub_2003', 'test_12345', 1),
  ('sub_2002', 'test_67890', 2), ('sub_2001', 'test_54321', 1), ('sub_3001', 'test_54321', 3), ('sub_3002', 'test_12345', 1);
COMMIT;
