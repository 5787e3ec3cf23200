"""A minimal shop in Python that uses only the standard library."""
import datetime, itertools, json, re, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit
KEY, LOCK, COUNT = sys.argv[1], threading.Lock(), itertools.count(1)
CATALOG = {'test_12345': ('Coffee', 19.95), 'test_67890': ('Tea', 29.95), 'test_54321': ('Cocoa', 49.95)}
class Rejected(Exception): pass
def day(distance): return str(datetime.date.today() + datetime.timedelta(distance))
def line(product, quantity, once=False): return dict(id=f'line-{next(COUNT)}', product=product, quantity=quantity, once=once)
def box(date, *lines): return dict(date=date, lines=list(lines), adds=[])
def seed():
    first = box(day(14), line('test_12345', 2), line('test_67890', 1))
    return {'test@example.com': [], 'cancelled@example.com': [], 'another@example.com': [box(day(7), line('test_54321', 3))],
            'subscription@example.com': [first, box(day(30), line('test_54321', 1))]}
def seed_cancelled():
    return {'cancelled@example.com': {'sub_2003': box(day(9), line('test_12345', 1)), 'sub_2002': box(day(9), line('test_67890', 2))},
            'another@example.com': {'sub_3002': box(day(9), line('test_12345', 1))}}
SHOP, CANCELLED = seed(), seed_cancelled()
DISCOUNTS = {'TEST10': dict(discount_type='percentage', discount_percentage=10, discount_amount=0), 'FIVEOFF': dict(discount_type='fixed_amount', discount_amount=5)}
def reset(fields):
    SHOP.update(seed())
    CANCELLED.update(seed_cancelled())
def product(id):
    if id not in CATALOG: raise Rejected(422, 'no_product')
    return dict(id=id, title=CATALOG[id][0], price=CATALOG[id][1], images=['https://shop.example/product.png'])
def field(fields, name, kind=str, default=None):
    value = fields.get(name, default)
    if value is None and default is not None: return default
    if type(value) is not kind or value == '': raise Rejected(400, f'invalid_{name}')
    return value
def boxes(fields):
    if not re.fullmatch(r'[^\s@,<>"]+@[^\s@,<>"]+', field(fields, 'email')): raise Rejected(400, 'invalid_email')
    return SHOP.get(fields['email'])
def current(fields):
    if not boxes(fields): raise Rejected(404, 'no_subscription')
    return min(boxes(fields), key=lambda entry: entry['date'])
def products(fields):
    owned = [entry['product'] for entry in current(fields)['lines']] if 'email' in fields and boxes(fields) else []
    return dict(products=[product(id) for id in CATALOG if id not in owned])
def add(fields):
    id, quantity, once = product(field(fields, 'product_id'))['id'], field(fields, 'quantity', int, 1), field(fields, 'one_time', bool, False)
    if quantity < 1 or field(fields, 'discount_code', str, 'none') == '': raise Rejected(400, 'invalid_quantity')
    entry = current(fields)
    same = next((item for item in entry['lines'] if (item['product'], item['once']) == (id, once)), None) or line(id, 0, once)
    if same not in entry['lines']: entry['lines'].append(same)
    same['quantity'] += quantity
    entry['adds'].append((same, quantity))
def undo(fields):
    id, entry = field(fields, 'product_id'), current(fields)
    same, quantity = next((made for made in reversed(entry['adds']) if made[0]['product'] == id), (None, 0))
    if same is None: raise Rejected(409, 'nothing_was_added')
    entry['adds'].remove((same, quantity))
    same['quantity'] -= quantity
    entry['lines'][:] = [item for item in entry['lines'] if item['quantity'] > 0]
def subscription(fields):
    items = [dict(product(entry['product']), id=entry['id'], quantity=entry['quantity']) for entry in current(fields)['lines']]
    return dict(next_billing_date=current(fields)['date'], items=items, customer_tax_rate=0.08)
def send(fields): current(fields).update(date=day(30), lines=[entry for entry in current(fields)['lines'] if not entry['once']])
def delay(fields):
    if not re.fullmatch('[0-9]{4}-[0-9]{2}-[0-9]{2}', field(fields, 'new_date')): raise Rejected(400, 'invalid_new_date')
    current(fields)['date'] = fields['new_date']
def swap(fields):
    id, new, _ = field(fields, 'current_item_id'), product(field(fields, 'new_product_id')), field(fields, 'discount_code', str, 'none')
    found = [entry for entry in current(fields)['lines'] if entry['id'] == id]
    if not found: raise Rejected(409, 'no_item')
    found[0]['product'] = new['id']
def cancelled(fields):
    boxes(fields)
    def shown(id, entry): return dict(subscription_id=id, title=f'Box {id}', products=[dict(product(item['product']), quantity=item['quantity']) for item in entry['lines']])
    return dict(subscriptions=[shown(id, entry) for id, entry in CANCELLED.get(fields['email'], {}).items()])
def reactivate(fields):
    id, _, own = field(fields, 'subscription_id'), field(fields, 'discount_code', str, 'none'), boxes(fields)
    if own is None: raise Rejected(404, 'no_customer')
    if id not in CANCELLED.get(fields['email'], {}): raise Rejected(409, 'nothing_to_reactivate')
    own.append(dict(CANCELLED[fields['email']].pop(id), date=day(1)))
def act(fields):
    if field(fields, 'action_id') and boxes(fields) is None: raise Rejected(404, 'no_customer')
def discount(fields):
    if field(fields, 'discount_code') not in DISCOUNTS: raise Rejected(409, 'no_code')
    return DISCOUNTS[fields['discount_code']]
ROUTES = {'POST /reset': reset, 'GET /upsells/products': products, 'POST /upsells/add-product': add, 'POST /upsells/undo-add-product': undo,
          'GET /customer-portal/subscription': subscription, 'POST /customer-portal/send-now': send,
          'POST /customer-portal/delay': delay, 'POST /customer-portal/swap-product': swap,
          'GET /reactivate/cancelled-subscriptions': cancelled, 'POST /reactivate/subscription': reactivate, 'POST /custom-action': act,
          'GET /discounts/get-discount': discount}
class Handler(BaseHTTPRequestHandler):
    protocol_version, wbufsize, log_message = 'HTTP/1.1', -1, lambda *args: None
    def body(self):
        if self.headers['Transfer-Encoding'] != 'chunked': return self.rfile.read(int(self.headers['Content-Length'] or 0))
        sizes = iter(lambda: int(self.rfile.readline(), 16), 0)
        return b''.join(self.rfile.read(size + 2)[:-2] for size in sizes) + self.rfile.readline()[:0]
    def handle_request(self):
        status, response = 200, {'success': True}
        try:
            url, body = urlsplit(self.path), self.body()
            if self.headers['X-Integration-API-Key'] != KEY: raise Rejected(401, 'unauthorized')
            run = ROUTES.get(f'{self.command} {url.path.removeprefix("/integration")}')
            if run is None: raise Rejected(404, 'nothing_here')
            fields = json.loads(body) if self.command == 'POST' else dict(parse_qsl(url.query))
            with LOCK: data = run(fields)
            if data is not None: response['data'] = data
        except (ValueError, AttributeError, RecursionError): status, response = 400, 'invalid'
        except Rejected as rejected: status, response = rejected.args
        if status != 200: response = {'success': False, 'error': {'code': response, 'message': 'The request failed.'}}
        encoded = json.dumps(response).encode()
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(encoded)))
        self.end_headers()
        self.wfile.write(b'' if self.command == 'HEAD' else encoded)
    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_HEAD = handle_request
ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
