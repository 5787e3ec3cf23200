-- Tables, rules and test data of the shops in this folder. Each request runs in one transaction. A trigger that rejects a
-- request raises the error code and a message.
PRAGMA journal_mode = WAL;
BEGIN IMMEDIATE;

CREATE TABLE customers (email TEXT PRIMARY KEY COLLATE NOCASE);
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
-- Adds to the next order, which can be undone. An add without a subscription is a separate order.
CREATE TABLE adds (
  id INTEGER PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE REFERENCES customers, subscription_id TEXT REFERENCES subscriptions,
  product_id TEXT NOT NULL REFERENCES products, quantity INTEGER NOT NULL, once INTEGER NOT NULL,
  discount_code TEXT COLLATE NOCASE REFERENCES discounts, undone INTEGER NOT NULL DEFAULT 0
);
-- Discount codes of the next order, with the price of the items that a code reduces, and the add that it belongs to.
CREATE TABLE reductions (
  subscription_id TEXT REFERENCES subscriptions, discount_code TEXT COLLATE NOCASE REFERENCES discounts, items_cents INTEGER, add_id INTEGER
);
-- Orders that a customer requested before the billing date.
CREATE TABLE orders (subscription_id TEXT NOT NULL REFERENCES subscriptions, created_at INTEGER NOT NULL DEFAULT (unixepoch()));

-- Requests that succeeded. `id` is the operation, the customer and the Idempotency-Key. Without a key, it is the digest of the request.
CREATE TABLE clicks (
  id TEXT PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE REFERENCES customers, request TEXT NOT NULL, expires_at INTEGER NOT NULL
);

-- Subscriptions with their status, totals in cents, and the billing date after an order today. A fixed code reduces an order once.
-- A short month has its last day.
CREATE VIEW subscription_details AS
  SELECT *, min(discount_cents + codes_cents, coalesce(total_cents, 0)) AS reduction_cents FROM (
    SELECT *, CASE WHEN cancelled_on IS NULL THEN 'active' WHEN cancelled_on > date('now', '-1 years') THEN 'cancelled' ELSE 'expired' END AS status,
      (SELECT sum(cents * quantity) FROM lines JOIN products p ON p.id = product_id WHERE subscription_id = s.id) AS total_cents,
      (SELECT coalesce(sum(code_cents), 0) FROM (
        SELECT coalesce(cents, (items_cents * percent + 50) / 100) AS code_cents FROM reductions r JOIN discounts ON code = discount_code
        WHERE subscription_id = s.id GROUP BY iif(cents IS NULL, r.rowid, code))) AS codes_cents,
      iif(months IS NULL, date('now', days || ' days'), min(
        date('now', months || ' months'), date('now', 'start of month', (months + 1) || ' months', '-1 days'))) AS following_date
    FROM subscriptions s);
-- The active subscription with the earliest billing date of each customer, and the earliest date of a delay.
CREATE VIEW current AS
  SELECT *, max(next_billing_date, date('now', '+1 days')) AS earliest_delay,
    EXISTS (SELECT 1 FROM orders JOIN subscriptions s ON s.id = subscription_id WHERE s.email = d.email AND
      created_at >= min(unixepoch('now', '-1 hours'), unixepoch('now', 'start of day'))) AS ordered_today
  FROM subscription_details d WHERE id = (
    SELECT id FROM subscriptions s WHERE s.email = d.email AND cancelled_on IS NULL ORDER BY next_billing_date, id LIMIT 1);
CREATE VIEW items AS
  SELECT l.id AS line_id, subscription_id, product_id || iif(once, '~once', '') AS id, product_id, title, cents, image, description, quantity, once,
    NULL AS discount_code
  FROM lines l JOIN products p ON p.id = product_id ORDER BY l.id;
CREATE VIEW valid_discounts AS SELECT * FROM discounts WHERE expires_on IS NULL OR expires_on >= date('now');
-- Recommendations, best first, without the recurring products in the current subscription.
CREATE VIEW recommended AS
  SELECT r.email, p.* FROM recommendations r JOIN products p ON p.id = product_id WHERE available AND p.id NOT IN (
    SELECT product_id FROM lines l JOIN current c ON c.id = l.subscription_id WHERE c.email = r.email AND NOT once)
  ORDER BY rank;

CREATE TRIGGER delete_empty_line AFTER UPDATE ON lines WHEN new.quantity < 1 BEGIN DELETE FROM lines WHERE id = new.id; END;
CREATE TRIGGER limit_quantity AFTER UPDATE ON lines WHEN new.quantity > 1000 BEGIN
  SELECT RAISE(ABORT, 'invalid_request: quantity: must be at most 1000 with the existing item');
END;
CREATE TRIGGER ignore_missing_code BEFORE INSERT ON reductions WHEN new.discount_code IS NULL BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER reject_invalid_code BEFORE INSERT ON reductions WHEN new.discount_code IS NOT NULL AND new.discount_code NOT IN (SELECT code FROM valid_discounts) BEGIN
  SELECT RAISE(ABORT, 'invalid_discount_code: The discount code is unknown or expired.');
END;

CREATE TRIGGER use_code_of_add AFTER INSERT ON adds BEGIN
  INSERT INTO reductions SELECT new.subscription_id, new.discount_code, cents * new.quantity, new.id FROM products WHERE id = new.product_id;
END;
CREATE TRIGGER add_line AFTER INSERT ON adds WHEN new.subscription_id IS NOT NULL BEGIN
  INSERT INTO lines (subscription_id, product_id, quantity, once) VALUES (new.subscription_id, new.product_id, new.quantity, new.once)
    ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity;
END;
CREATE TRIGGER undo_add AFTER UPDATE OF undone ON adds WHEN new.undone BEGIN
  DELETE FROM reductions WHERE add_id = new.id;
  UPDATE lines SET quantity = quantity - new.quantity
    WHERE subscription_id = new.subscription_id AND product_id = new.product_id AND once = new.once;
END;
-- A swap keeps the place and the quantity of the line. Two lines of one product become one. Earlier adds cannot be undone.
-- A swap to the same product changes nothing, but its discount code must be valid.
CREATE TRIGGER swap_item INSTEAD OF UPDATE OF product_id ON items BEGIN
  SELECT RAISE(ABORT, 'invalid_discount_code: The discount code is unknown or expired.')
    WHERE new.discount_code NOT IN (SELECT code FROM valid_discounts);
  SELECT RAISE(IGNORE) WHERE new.product_id = old.product_id;
  DELETE FROM adds WHERE subscription_id = old.subscription_id AND product_id = old.product_id AND once = old.once;
  DELETE FROM lines WHERE id = old.line_id;
  INSERT INTO lines VALUES (old.line_id, old.subscription_id, new.product_id, old.quantity, old.once)
    ON CONFLICT DO UPDATE SET quantity = quantity + excluded.quantity;
  INSERT INTO reductions SELECT old.subscription_id, new.discount_code, cents * old.quantity, NULL FROM products WHERE id = new.product_id;
END;
-- An order uses up one-time lines, reductions and adds, and moves the billing date.
CREATE TRIGGER ship AFTER INSERT ON orders BEGIN
  DELETE FROM lines WHERE subscription_id = new.subscription_id AND once;
  DELETE FROM reductions WHERE subscription_id = new.subscription_id;
  DELETE FROM adds WHERE subscription_id = new.subscription_id;
  UPDATE subscriptions SET next_billing_date = (SELECT following_date FROM subscription_details d WHERE d.id = subscriptions.id)
    WHERE id = new.subscription_id;
END;

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
