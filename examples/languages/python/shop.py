"""A shop in Python 3 with SQLite that uses only the standard library. See ../README.md."""

import contextlib, hashlib, hmac, http.server, json, os, re, sqlite3, traceback, urllib.parse, uuid

LABEL = r'[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?'
PATTERNS = {
    'email': re.compile(rf"(?=.{{1,254}}$)[a-z\d.!#$%&'*+/=?^_`{{|}}~-]+@{LABEL}(?:\.{LABEL})*", re.ASCII | re.IGNORECASE),
    'text': re.compile('[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,255}'),
    'date': re.compile(r'[0-9]{4}-[0-9]{2}-[0-9]{2}'),
}
DEFAULTS = {'quantity': 1, 'one_time': False}
MAX_BODY = 64 * 1024


class Failure(Exception):
    def __init__(self, status, code, message=None, headers={}):
        self.status, self.headers = status, headers
        self.error = {'code': code, 'message': message or code.replace('_', ' ').capitalize() + '.'}


def check(name, kind, value):
    """Returns the value of a field, or raises the error of the field."""
    if value is None and kind.startswith('?'): return DEFAULTS.get(name)
    kind = kind.lstrip('?')
    if kind == 'quantity' and type(value) in (int, float) and 1 <= value <= 1000 and value % 1 == 0:
        return int(value)
    if kind == 'boolean' and type(value) is bool: return value
    if kind not in ('quantity', 'boolean') and type(value) is str:
        value = value.strip() if kind in ('email', 'code') else value
        if PATTERNS.get(kind, PATTERNS['text']).fullmatch(value):
            return value.lower() if kind == 'email' else value
    raise Failure(400, 'invalid_request', f'{name}: must be a valid {kind}')


class Operations:
    """The operations of the API for one request. `fields` contains every field of the endpoint, with its default."""

    def __init__(self, db, fields):
        self.db, self.fields = db, fields

    def run(self, sql, *values):
        """Returns the rows of a statement. A trigger of the schema raises an error code and a message."""
        try:
            return self.db.execute(sql, values).fetchall()
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_TRIGGER: raise
            raise Failure(400, *str(error).split(': ', 1)) from None

    def find(self, error, sql, *values):
        rows = self.run(sql, *values)
        if not rows: raise Failure(404, error)
        return rows[0]

    def customer(self):
        return self.find('customer_not_found', 'SELECT email FROM customers WHERE email = ?', self.fields['email'])['email']

    def current(self):
        return self.find('subscription_not_found', 'SELECT * FROM current WHERE email = ?', self.customer())

    def available_product(self, product_id):
        product = self.find('product_not_found', 'SELECT * FROM products WHERE id = ?', product_id)
        if not product['available']: raise Failure(400, 'product_unavailable')
        return product

    def items(self, subscription):
        return [to_product(row) for row in self.run('SELECT * FROM items WHERE subscription_id = ?', subscription)]

    def list_products(self):
        rows = self.run('SELECT * FROM products WHERE available ORDER BY rowid')
        if self.run('SELECT 1 FROM recommendations WHERE email = ?', self.fields['email']):
            rows = self.run('SELECT * FROM recommended WHERE email = ?', self.fields['email'])
        return {'products': [to_product(row) for row in rows]}

    def add_product(self):
        """Stores an add. Triggers of the schema change the items, and use the discount code."""
        email, once = self.customer(), self.fields['one_time']
        product = self.available_product(self.fields['product_id'])
        current = self.run('SELECT id FROM current WHERE email = ?', email)
        if once and not current: raise Failure(404, 'subscription_not_found')
        self.run('INSERT INTO adds (email, subscription_id, product_id, quantity, once, discount_code) VALUES (?, ?, ?, ?, ?, ?)',
                 email, current[0]['id'] if current else None, product['id'], self.fields['quantity'], once, self.fields['discount_code'])

    def undo_add_product(self):
        sql = 'SELECT id FROM adds WHERE email = ? AND product_id = ? AND NOT undone ORDER BY id DESC'
        add = self.find('product_not_in_order', sql, self.customer(), self.fields['product_id'])
        self.run('UPDATE adds SET undone = 1 WHERE id = ?', add['id'])

    def get_subscription(self):
        current = self.current()
        return {
            'next_billing_date': current['next_billing_date'],
            'items': self.items(current['id']),
            'shipping_total_cost': current['shipping_cents'] / 100,
            'order_discount_total': current['reduction_cents'] / 100,
            'customer_tax_rate': current['tax_rate'],
        }

    def send_now(self):
        """Stores an order. A trigger of the schema moves the billing date, and removes what the order uses up."""
        current = self.current()
        if current['ordered_today']: raise Failure(400, 'order_already_processing')
        if current['total_cents'] is None: raise Failure(400, 'order_not_processable')
        self.run('INSERT INTO orders (subscription_id) VALUES (?)', current['id'])

    def delay_subscription(self):
        date = self.fields['new_date']
        if not self.run("SELECT 1 WHERE date(?, '+0 days') = ?", date, date): raise Failure(400, 'invalid_date')
        current = self.current()
        if date < current['earliest_delay']: raise Failure(400, 'invalid_date')
        self.run('UPDATE subscriptions SET next_billing_date = ? WHERE id = ?', date, current['id'])

    def swap_product(self):
        """Changes the product of an item. A trigger of the schema joins two items of one product, and uses the discount code."""
        subscription = self.current()['id']
        sql = 'SELECT * FROM items WHERE subscription_id = ? AND id = ?'
        item = self.find('item_not_found', sql, subscription, self.fields['current_item_id'])
        product = self.available_product(self.fields['new_product_id'])
        sql = 'UPDATE items SET product_id = ?, discount_code = ? WHERE line_id = ?'
        self.run(sql, product['id'], self.fields['discount_code'], item['line_id'])

    def list_cancelled_subscriptions(self):
        sql = "SELECT * FROM subscription_details WHERE email = ? AND status = 'cancelled' ORDER BY cancelled_on DESC"
        rows = self.run(sql, self.customer())
        return {'subscriptions': [{'subscription_id': row['id'], 'title': row['title'], 'products': self.items(row['id'])} for row in rows]}

    def reactivate_subscription(self):
        sql = 'SELECT * FROM subscription_details WHERE email = ? AND id = ?'
        found = self.find('subscription_not_found', sql, self.customer(), self.fields['subscription_id'])
        if found['status'] == 'active': raise Failure(400, 'subscription_not_cancelled')
        if found['status'] == 'expired': raise Failure(400, 'subscription_not_eligible')
        self.run("UPDATE subscriptions SET cancelled_on = NULL, next_billing_date = date('now', '+1 days') WHERE id = ?", found['id'])
        sql = 'INSERT INTO reductions VALUES (?, ?, ?, NULL)'
        self.run(sql, found['id'], self.fields['discount_code'], found['total_cents'])

    def run_custom_action(self):
        email = self.customer()
        action = self.find('action_not_found', 'SELECT id FROM actions WHERE id = ?', self.fields['action_id'])['id']
        self.run('INSERT INTO action_runs VALUES (?, ?)', action, email)

    def get_discount(self):
        found = self.find('discount_not_found', 'SELECT * FROM valid_discounts WHERE code = ?', self.fields['discount_code'])
        if found['percent'] is not None:
            return {'discount_type': 'percentage', 'discount_percentage': found['percent']}
        return {'discount_type': 'fixed_amount', 'discount_amount': found['cents'] / 100}


def to_product(row):
    row = dict(row)
    product = {'id': row['id'], 'title': row['title'], 'price': row['cents'] / 100, 'images': [row['image']]}
    if row.get('compare_at_cents'):
        product['compare_at_price'] = row['compare_at_cents'] / 100
    return product | {name: row[name] for name in ('description', 'quantity') if row.get(name) is not None}


EMAIL, CODE = {'email': 'email'}, {'discount_code': '?code'}
ENDPOINTS = {
    '/integration/upsells/products': ('GET', 'list_products', {'email': '?email'}),
    '/integration/upsells/add-product': ('POST', 'add_product', EMAIL | {'product_id': 'text', 'quantity': '?quantity', 'one_time': '?boolean'} | CODE),
    '/integration/upsells/undo-add-product': ('POST', 'undo_add_product', EMAIL | {'product_id': 'text'}),
    '/integration/customer-portal/subscription': ('GET', 'get_subscription', EMAIL),
    '/integration/customer-portal/send-now': ('POST', 'send_now', EMAIL),
    '/integration/customer-portal/delay': ('POST', 'delay_subscription', EMAIL | {'new_date': 'date'}),
    '/integration/customer-portal/swap-product': ('POST', 'swap_product', EMAIL | {'current_item_id': 'text', 'new_product_id': 'text'} | CODE),
    '/integration/reactivate/cancelled-subscriptions': ('GET', 'list_cancelled_subscriptions', EMAIL),
    '/integration/reactivate/subscription': ('POST', 'reactivate_subscription', EMAIL | {'subscription_id': 'text'} | CODE),
    '/integration/custom-action': ('POST', 'run_custom_action', EMAIL | {'action_id': 'text'}),
    '/integration/discounts/get-discount': ('GET', 'get_discount', {'discount_code': 'code'}),
}


def run_once(db, name, fields, key):
    """Runs an action and stores the click in the same transaction. A repeat returns success and changes nothing."""
    if key is not None and not re.fullmatch('"[!#-~]{1,253}"|[!#-~][!-~]{0,254}', key):
        raise Failure(400, 'invalid_request', 'Idempotency-Key: must have 1 to 255 visible ASCII characters')
    digest = hashlib.sha256(json.dumps([name, fields]).encode()).hexdigest()
    # A key belongs to a customer: two customers with the same key have two clicks.
    click = digest if key is None else f"{name} {fields['email'].lower()} " + key.strip('"')
    db.execute('BEGIN IMMEDIATE')
    db.execute('DELETE FROM clicks WHERE expires_at < unixepoch()')
    earlier = db.execute('SELECT * FROM clicks WHERE id = ?', (click,)).fetchone()
    if earlier is None:
        getattr(Operations(db, fields), name)()
        # Without a key, the same request after another change of the customer is a new click.
        db.execute('DELETE FROM clicks WHERE email = ? AND id = request', (fields['email'],))
        seconds = 86400 if key is not None else 600 if name == 'send_now' else 10
        db.execute('INSERT INTO clicks VALUES (?, ?, ?, unixepoch() + ?)', (click, fields['email'], digest, seconds))
    elif earlier['request'] != digest: raise Failure(422, 'idempotency_key_reused')
    db.execute('COMMIT')


def read_query(query, names):
    """Returns the fields of a query. A plus is a space, except in an email, which can contain it."""
    pairs = [pair.replace('+', '%2B') if pair.startswith('email=') else pair for pair in query.split('&')]
    values = urllib.parse.parse_qs('&'.join(pairs), keep_blank_values=True)
    for name in ('code', *names):
        if len(values.get(name, [])) > 1: raise Failure(400, 'invalid_request', f'{name}: is repeated')
    fields = {name: value for name, [value, *_] in values.items() if value}
    code = fields.get('code', fields.get('discount_code'))
    if fields.get('discount_code', code) != code:
        raise Failure(400, 'invalid_request', 'code: differs from discount_code')
    return fields | {'discount_code': code}


MALFORMED = Failure(400, 'invalid_request', 'The request is malformed.')


def to_size(text, base):
    if not re.fullmatch('[0-9]{1,9}' if base == 10 else '[0-9a-fA-F]{1,8}', text): raise MALFORMED
    return int(text, base)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version, disable_nagle_algorithm, log_message = 'HTTP/1.1', True, lambda *_: None
    headers, command = {}, None

    def read(self, size):
        """Reads at most one byte more than the largest body. A body that ends too early has no effect."""
        body = self.rfile.read(min(size, MAX_BODY + 1))
        if len(body) < min(size, MAX_BODY + 1): raise MALFORMED
        return body

    def read_body(self):
        """Reads a body. A body with two lengths could hide a second request."""
        lengths, coding = self.headers.get_all('Content-Length', []), self.headers.get('Transfer-Encoding')
        if self.headers.get_payload() or '\0' in ''.join(self.headers.values()) or 'Missing header name.' in map(str, self.headers.defects): raise MALFORMED
        if len(self.headers.get_all('Host', [])) != 1 or len(lengths) + bool(coding) > 1 or coding not in (None, 'chunked'): raise MALFORMED
        if coding is None: return self.read(to_size(lengths[0], 10)) if lengths else b''
        body = b''
        while size := to_size(self.rfile.readline(100).decode('latin-1').split(';')[0].rstrip(), 16):
            body += self.read(size)
            if self.rfile.readline(3) != b'\r\n': raise MALFORMED
        while self.rfile.readline(1000).strip(): pass
        return body

    def read_object(self, body):
        if self.headers.get_content_type() != 'application/json': raise Failure(415, 'unsupported_media_type')
        if len(body) > MAX_BODY: raise Failure(413, 'payload_too_large')
        with contextlib.suppress(ValueError, RecursionError):
            given = json.loads(body.decode('utf-8-sig'))
            if isinstance(given, dict): return given
        raise Failure(400, 'invalid_request', 'The body must be a JSON object.')

    def respond(self):
        stays_open, self.close_connection = not self.close_connection, True
        if self.headers.get('Expect', '100-continue').lower() != '100-continue': raise Failure(417, 'invalid_request')
        body = self.read_body()
        self.close_connection = not stays_open or len(body) > MAX_BODY
        keys = self.headers.get_all('X-Integration-API-Key', [])
        if len(keys) != 1 or not hmac.compare_digest(keys[0].encode(), os.environ['STOREPORT_API_KEY'].encode()):
            raise Failure(401, 'unauthorized', headers={'WWW-Authenticate': 'ApiKey'})
        path, _, query = re.sub('^https?://[^/]*', '', self.path).partition('?')
        if path not in ENDPOINTS: raise Failure(404, 'endpoint_not_found')
        method, name, kinds = ENDPOINTS[path]
        if self.command not in (allowed := {'GET': ['GET', 'HEAD'], 'POST': ['POST']}[method]):
            raise Failure(405, 'method_not_allowed', headers={'Allow': ', '.join(allowed)})
        if self.headers.get('X-Integration-Test-Mode') == 'true' or 'test=true' in query.split('&'):
            raise Failure(400, 'invalid_request', 'This shop has no test store.')
        given = read_query(query, kinds) if method == 'GET' else self.read_object(body)
        fields = {field: check(field, kind, given.get(field)) for field, kind in kinds.items()}
        with contextlib.closing(sqlite3.connect(os.environ['DATABASE'], timeout=10, isolation_level=None)) as db:
            db.row_factory = sqlite3.Row
            if method == 'GET':
                return {'success': True, 'data': getattr(Operations(db, fields), name)()}
            run_once(db, name, fields, self.headers.get('Idempotency-Key'))
            return {'success': True}

    def handle_request(self):
        try:
            self.reply(200, self.respond())
        except Failure as failure:
            self.reply(failure.status, {'success': False, 'error': failure.error}, failure.headers)
        except Exception:
            traceback.print_exc()
            self.reply(500, {'success': False, 'error': {'code': 'internal_error', 'message': 'The shop failed.'}})

    def reply(self, status, response, headers={}):
        body, request_id = json.dumps(response).encode(), self.headers.get('X-Request-Id', '')
        self.send_response(status)
        more = {
            'Content-Type': 'application/json; charset=utf-8', 'Content-Length': str(len(body)), 'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff', 'Connection': 'close' if self.close_connection else 'keep-alive',
            'X-Request-Id': request_id if re.fullmatch(r'[\w.-]{1,128}', request_id, re.ASCII) else uuid.uuid4().hex,
        }
        for name, value in (more | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b'' if self.command == 'HEAD' else body)

    def send_error(self, status, *_):
        """Replaces the HTML page of the library for a request that it rejects."""
        code, self.close_connection = 'headers_too_large' if status == 431 else 'invalid_request', True
        self.reply(400 if status == 501 else status, {'success': False, 'error': {'code': code, 'message': 'The request is malformed.'}})

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request


if __name__ == '__main__':
    http.server.ThreadingHTTPServer.request_queue_size = 128
    server = http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ.get('PORT', '8000'))), Handler)
    print(f'http://127.0.0.1:{server.server_port}', flush=True)
    server.serve_forever()
