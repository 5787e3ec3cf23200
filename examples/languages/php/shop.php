<?php

// A shop in PHP 8 with SQLite. See ../README.md.

declare(strict_types=1);

const ENDPOINTS = [
    '/integration/upsells/products' => ['GET', 'listProducts', ['email' => '?email']],
    '/integration/upsells/add-product' => ['POST', 'addProduct', [
        'email' => 'email', 'product_id' => 'text', 'quantity' => '?quantity', 'one_time' => '?boolean', 'discount_code' => '?code']],
    '/integration/upsells/undo-add-product' => ['POST', 'undoAddProduct', ['email' => 'email', 'product_id' => 'text']],
    '/integration/customer-portal/subscription' => ['GET', 'getSubscription', ['email' => 'email']],
    '/integration/customer-portal/send-now' => ['POST', 'sendNow', ['email' => 'email']],
    '/integration/customer-portal/delay' => ['POST', 'delaySubscription', ['email' => 'email', 'new_date' => 'date']],
    '/integration/customer-portal/swap-product' => ['POST', 'swapProduct', [
        'email' => 'email', 'current_item_id' => 'text', 'new_product_id' => 'text', 'discount_code' => '?code']],
    '/integration/reactivate/cancelled-subscriptions' => ['GET', 'listCancelledSubscriptions', ['email' => 'email']],
    '/integration/reactivate/subscription' => ['POST', 'reactivateSubscription', [
        'email' => 'email', 'subscription_id' => 'text', 'discount_code' => '?code']],
    '/integration/custom-action' => ['POST', 'runCustomAction', ['email' => 'email', 'action_id' => 'text']],
    '/integration/discounts/get-discount' => ['GET', 'getDiscount', ['discount_code' => 'code']],
];
// SQLite's code of an error that a trigger raises. The text of the error contains an API error code and a message.
const TRIGGER = 1811;
const DEFAULTS = ['quantity' => 1, 'one_time' => false];
const LABEL = '[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?';
const PATTERNS = [
    'email' => "~^(?=.{1,254}$)[a-z\d.!#$%&'*+/=?^_`{|}\~-]+@" . LABEL . '(?:\.' . LABEL . ')*$~Di',
    'text' => '/^\P{Cc}{1,255}$/Du',
    'date' => '/^\d{4}-\d\d-\d\d$/D',
];

final class Failure extends Exception {
    public function __construct(public readonly int $status, public readonly string $name, ?string $message = null) {
        parent::__construct($message ?? ucfirst(strtr($name, '_', ' ')) . '.');
    }
}

function fail(int $status, string $name, ?string $message = null): never {
    throw new Failure($status, $name, $message);
}

/** Returns the value of a field, or rejects the request. */
function check(string $name, string $type, mixed $value): mixed {
    if ($value === null && $type[0] === '?') return DEFAULTS[$name] ?? null;
    $type = ltrim($type, '?');
    if ($type === 'boolean' && is_bool($value)) return $value;
    if ($type === 'quantity' && (is_int($value) || is_float($value)) && $value >= 1 && $value <= 1000 && floor($value) == $value) {
        return (int) $value;
    }
    if ($type !== 'boolean' && $type !== 'quantity' && is_string($value)) {
        $value = $type === 'email' || $type === 'code' ? trim($value, " \t\r\n") : $value;
        if (preg_match(PATTERNS[$type] ?? PATTERNS['text'], $value)) return $type === 'email' ? strtolower($value) : $value;
    }
    fail(400, 'invalid_request', "$name: must be a valid $type");
}

function rows(string $sql, mixed ...$values): array {
    global $db;
    $statement = $db->prepare($sql);
    $statement->execute($values);
    return $statement->fetchAll();
}

function row(string $sql, mixed ...$values): ?array {
    return rows($sql, ...$values)[0] ?? null;
}

function customer(array $in): string {
    return row('SELECT email FROM customers WHERE email = ?', $in['email'])['email'] ?? fail(404, 'customer_not_found');
}

/** Returns the active subscription with the earliest date. */
function currentOf(array $in): array {
    return row('SELECT * FROM current WHERE email = ?', customer($in)) ?? fail(404, 'subscription_not_found');
}

function availableProduct(string $id): array {
    $product = row('SELECT * FROM products WHERE id = ?', $id) ?? fail(404, 'product_not_found');
    return $product['available'] ? $product : fail(400, 'product_unavailable');
}

function toProduct(array $row): array {
    $product = ['id' => $row['id'], 'title' => $row['title'], 'price' => $row['cents'] / 100, 'images' => [$row['image']]];
    $regular = isset($row['compare_at_cents']) ? $row['compare_at_cents'] / 100 : null;
    $optional = ['description' => $row['description'], 'quantity' => $row['quantity'] ?? null, 'compare_at_price' => $regular];
    return $product + array_filter($optional, fn ($value) => $value !== null);
}

function items(string $subscription): array {
    return array_map(toProduct(...), rows('SELECT * FROM items WHERE subscription_id = ?', $subscription));
}

function listProducts(array $in): array {
    $products = row('SELECT 1 FROM recommendations WHERE email = ?', $in['email'])
        ? rows('SELECT * FROM recommended WHERE email = ?', $in['email'])
        : rows('SELECT * FROM products WHERE available ORDER BY rowid');
    return ['products' => array_map(toProduct(...), $products)];
}

/** Stores an add. Triggers of the schema change the items, and use the discount code. */
function addProduct(array $in): void {
    $email = customer($in);
    $product = availableProduct($in['product_id']);
    $current = row('SELECT id FROM current WHERE email = ?', $email);
    if ($current === null && $in['one_time']) fail(404, 'subscription_not_found');
    rows('INSERT INTO adds (email, subscription_id, product_id, quantity, once, discount_code) VALUES (?, ?, ?, ?, ?, ?)',
        $email, $current['id'] ?? null, $product['id'], $in['quantity'], (int) $in['one_time'], $in['discount_code']);
}

function undoAddProduct(array $in): void {
    $sql = 'SELECT id FROM adds WHERE email = ? AND product_id = ? AND NOT undone ORDER BY id DESC';
    $add = row($sql, customer($in), $in['product_id']) ?? fail(404, 'product_not_in_order');
    rows('UPDATE adds SET undone = 1 WHERE id = ?', $add['id']);
}

function getSubscription(array $in): array {
    $current = currentOf($in);
    return [
        'next_billing_date' => $current['next_billing_date'],
        'items' => items($current['id']),
        'shipping_total_cost' => $current['shipping_cents'] / 100,
        'order_discount_total' => $current['reduction_cents'] / 100,
        'customer_tax_rate' => $current['tax_rate'],
    ];
}

/** Stores an order. A trigger of the schema moves the billing date, and removes what the order uses up. */
function sendNow(array $in): void {
    $current = currentOf($in);
    if ($current['ordered_today']) fail(400, 'order_already_processing');
    if ($current['total_cents'] === null) fail(400, 'order_not_processable');
    rows('INSERT INTO orders (subscription_id) VALUES (?)', $current['id']);
}

function delaySubscription(array $in): void {
    [$year, $month, $day] = array_map('intval', explode('-', $in['new_date']));
    checkdate($month, $day, $year) || fail(400, 'invalid_date');
    $current = currentOf($in);
    if ($in['new_date'] < $current['earliest_delay']) fail(400, 'invalid_date');
    rows('UPDATE subscriptions SET next_billing_date = ? WHERE id = ?', $in['new_date'], $current['id']);
}

/** Changes the product of an item. A trigger of the schema joins two items of one product, and uses the discount code. */
function swapProduct(array $in): void {
    $id = currentOf($in)['id'];
    $item = row('SELECT * FROM items WHERE subscription_id = ? AND id = ?', $id, $in['current_item_id']) ?? fail(404, 'item_not_found');
    $product = availableProduct($in['new_product_id']);
    $sql = 'UPDATE items SET product_id = ?, discount_code = ? WHERE line_id = ?';
    rows($sql, $product['id'], $in['discount_code'], $item['line_id']);
}

function listCancelledSubscriptions(array $in): array {
    $sql = "SELECT * FROM subscription_details WHERE email = ? AND status = 'cancelled' ORDER BY cancelled_on DESC";
    $toJson = fn ($row) => ['subscription_id' => $row['id'], 'title' => $row['title'], 'products' => items($row['id'])];
    return ['subscriptions' => array_map($toJson, rows($sql, customer($in)))];
}

function reactivateSubscription(array $in): void {
    $sql = 'SELECT * FROM subscription_details WHERE email = ? AND id = ?';
    $found = row($sql, customer($in), $in['subscription_id']) ?? fail(404, 'subscription_not_found');
    if ($found['status'] === 'active') fail(400, 'subscription_not_cancelled');
    if ($found['status'] === 'expired') fail(400, 'subscription_not_eligible');
    rows("UPDATE subscriptions SET cancelled_on = NULL, next_billing_date = date('now', '+1 days') WHERE id = ?", $found['id']);
    rows('INSERT INTO reductions VALUES (?, ?, ?, NULL)', $found['id'], $in['discount_code'], $found['total_cents']);
}

function runCustomAction(array $in): void {
    $email = customer($in);
    $action = row('SELECT id FROM actions WHERE id = ?', $in['action_id']) ?? fail(404, 'action_not_found');
    rows('INSERT INTO action_runs VALUES (?, ?)', $action['id'], $email);
}

function getDiscount(array $in): array {
    $found = row('SELECT * FROM valid_discounts WHERE code = ?', $in['discount_code']) ?? fail(404, 'discount_not_found');
    return isset($found['percent'])
        ? ['discount_type' => 'percentage', 'discount_percentage' => $found['percent']]
        : ['discount_type' => 'fixed_amount', 'discount_amount' => $found['cents'] / 100];
}

/** Runs an action and stores the click in the same transaction. A repeat returns success and changes nothing. */
function runOnce(string $name, array $in, ?string $key): void {
    global $db;
    $isValid = $key === null || preg_match('/^("[!#-~]{1,253}"|[!#-~][!-~]{0,254})$/D', $key);
    $isValid || fail(400, 'invalid_request', 'Idempotency-Key: must have 1 to 255 visible ASCII characters');
    $digest = hash('sha256', json_encode([$name, $in], JSON_THROW_ON_ERROR));
    // A key belongs to a customer: two customers with the same key have two clicks.
    $id = $key === null ? $digest : "$name " . strtolower($in['email']) . ' ' . trim($key, '"');
    $db->exec('BEGIN IMMEDIATE');
    rows('DELETE FROM clicks WHERE expires_at < unixepoch()');
    $earlier = row('SELECT * FROM clicks WHERE id = ?', $id);
    if ($earlier === null) {
        $name($in);
        // Without a key, the same request after another change of the customer is a new click.
        rows('DELETE FROM clicks WHERE email = ? AND id = request', $in['email']);
        $seconds = $key !== null ? 86400 : ($name === 'sendNow' ? 600 : 10);
        rows('INSERT INTO clicks VALUES (?, ?, ?, unixepoch() + ?)', $id, $in['email'], $digest, $seconds);
    } elseif ($earlier['request'] !== $digest) fail(422, 'idempotency_key_reused');
    $db->exec('COMMIT');
}

/** Returns the fields of a query. A plus is a space, except in an email, which can contain it. */
function readQuery(string $query, array $types): array {
    $fields = [];
    foreach (explode('&', $query) as $pair) {
        [$name, $value] = explode('=', "$pair=", 3);
        [$name, $value] = [rawurldecode($name), $name === 'email' ? rawurldecode($value) : urldecode($value)];
        $isRepeated = isset($fields[$name]) && isset($types[$name === 'code' ? 'discount_code' : $name]);
        if ($isRepeated) fail(400, 'invalid_request', "$name: is repeated");
        $fields[$name] = $value;
    }
    $fields = array_filter($fields, fn ($value) => $value !== '');
    $code = $fields['code'] ?? $fields['discount_code'] ?? null;
    $same = $code === ($fields['discount_code'] ?? $code);
    return $same ? ['discount_code' => $code] + $fields : fail(400, 'invalid_request', 'code: differs from discount_code');
}

function readObject(string $body): array {
    strlen($body) <= 65536 || fail(413, 'payload_too_large');
    $object = json_decode(preg_replace('/^\xEF\xBB\xBF/', '', $body), false, 65536);
    return is_object($object) ? (array) $object : fail(400, 'invalid_request', 'The body must be a JSON object.');
}

/** The server of PHP accepts malformed headers. A request with two lengths could hide a second request. */
function checkHeaders(array $headers): void {
    strtolower($headers['expect'] ?? '100-continue') === '100-continue' || fail(417, 'invalid_request');
    strlen(implode('', $headers)) <= 32768 || fail(431, 'headers_too_large');
    $length = $headers['content-length'] ?? '0';
    $isValid = ctype_digit($length) && !isset($headers['content-length'], $headers['transfer-encoding'])
        && preg_match('~^HTTP/1\.[01]$~D', $_SERVER['SERVER_PROTOCOL'])
        && !preg_grep('/^$|[^!-~]/D', array_keys($headers)) && !preg_grep('/\0/', $headers);
    $isValid || fail(400, 'invalid_request', 'The request is malformed.');
}

function respond(array $headers): array {
    global $db;
    checkHeaders($headers);
    if (!hash_equals((string) getenv('STOREPORT_API_KEY'), $headers['x-integration-api-key'] ?? '')) {
        header('WWW-Authenticate: ApiKey');
        fail(401, 'unauthorized');
    }
    [$path, $query] = explode('?', preg_replace('~^https?://[^/]*~i', '', $_SERVER['REQUEST_URI']) . '?', 3);
    [$method, $name, $types] = ENDPOINTS[$path] ?? fail(404, 'endpoint_not_found');
    $allowed = $method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
    if (!in_array($_SERVER['REQUEST_METHOD'], $allowed, true)) {
        header('Allow: ' . implode(', ', $allowed));
        fail(405, 'method_not_allowed');
    }
    $isTest = ($headers['x-integration-test-mode'] ?? '') === 'true' || in_array('test=true', explode('&', $query), true);
    if ($isTest) fail(400, 'invalid_request', 'This shop has no test store.');
    $isJson = preg_match('~^application/json\s*(;|$)~i', $headers['content-type'] ?? '');
    if ($method === 'POST' && !$isJson) fail(415, 'unsupported_media_type');
    $given = $method === 'GET' ? readQuery($query, $types) : readObject(file_get_contents('php://input'));
    $in = [];
    foreach ($types as $field => $type) {
        $in[$field] = check($field, $type, $given[$field] ?? null);
    }
    $db = new PDO('sqlite:' . getenv('DATABASE'), null, null, [
        PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC, PDO::ATTR_TIMEOUT => 10, PDO::SQLITE_ATTR_EXTENDED_RESULT_CODES => true]);
    if ($method === 'GET') return ['success' => true, 'data' => $name($in)];
    runOnce($name, $in, $headers['idempotency-key'] ?? null);
    return ['success' => true];
}

ini_set('display_errors', '0');
$headers = array_change_key_case(getallheaders());
$requestId = $headers['x-request-id'] ?? '';
header('X-Request-Id: ' . (preg_match('/^[\w.-]{1,128}$/D', $requestId) ? $requestId : bin2hex(random_bytes(8))));
header('Content-Type: application/json; charset=utf-8');
header('Cache-Control: no-store');
header('X-Content-Type-Options: nosniff');
try {
    $response = respond($headers);
} catch (Throwable $error) {
    $failure = match (true) {
        $error instanceof Failure => $error,
        ($error->errorInfo[1] ?? 0) === TRIGGER => new Failure(400, ...explode(': ', $error->errorInfo[2], 2)),
        default => new Failure(500, 'internal_error', 'The shop failed.'),
    };
    $failure === $error || error_log((string) $error);
    // Without the version, PHP would answer with the version of the request.
    header("HTTP/1.1 $failure->status $failure->name");
    $response = ['success' => false, 'error' => ['code' => $failure->name, 'message' => $failure->getMessage()]];
}
echo json_encode($response, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
