# A shop in Ruby with SQLite and WEBrick (Debian: ruby ruby-sqlite3). See ../README.md.

require 'date'
require 'digest'
require 'json'
require 'openssl'
require 'securerandom'
require 'sqlite3'
require 'webrick'

ENDPOINTS = {
  '/integration/upsells/products' => ['GET', :list_products, { 'email' => '?email' }],
  '/integration/upsells/add-product' => ['POST', :add_product, {
    'email' => 'email', 'product_id' => 'text', 'quantity' => '?quantity', 'one_time' => '?boolean', 'discount_code' => '?code'
  }],
  '/integration/upsells/undo-add-product' => ['POST', :undo_add_product, { 'email' => 'email', 'product_id' => 'text' }],
  '/integration/customer-portal/subscription' => ['GET', :get_subscription, { 'email' => 'email' }],
  '/integration/customer-portal/send-now' => ['POST', :send_now, { 'email' => 'email' }],
  '/integration/customer-portal/delay' => ['POST', :delay_subscription, { 'email' => 'email', 'new_date' => 'date' }],
  '/integration/customer-portal/swap-product' => ['POST', :swap_product, {
    'email' => 'email', 'current_item_id' => 'text', 'new_product_id' => 'text', 'discount_code' => '?code'
  }],
  '/integration/reactivate/cancelled-subscriptions' => ['GET', :list_cancelled_subscriptions, { 'email' => 'email' }],
  '/integration/reactivate/subscription' => ['POST', :reactivate_subscription, {
    'email' => 'email', 'subscription_id' => 'text', 'discount_code' => '?code'
  }],
  '/integration/custom-action' => ['POST', :run_custom_action, { 'email' => 'email', 'action_id' => 'text' }],
  '/integration/discounts/get-discount' => ['GET', :get_discount, { 'discount_code' => 'code' }]
}.freeze
DEFAULTS = { 'quantity' => 1, 'one_time' => false }.freeze
LABEL = '[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?'.freeze
PATTERNS = {
  'email' => %r{\A(?=.{1,254}\z)[a-z\d.!#$%&'*+/=?^_`{|}~-]+@#{LABEL}(?:\.#{LABEL})*\z}i,
  'text' => /\A[^[:cntrl:]]{1,255}\z/,
  'date' => /\A\d{4}-\d\d-\d\d\z/
}.freeze

class Failure < StandardError
  attr_reader :status, :code

  def initialize(status, code, message = "#{code.tr('_', ' ').capitalize}.")
    super(message)
    @status = status
    @code = code
  end
end

def reject(*error) = raise(Failure.new(*error))

# Returns the value of a field, or rejects the request.
def check(name, type, value)
  return DEFAULTS[name] if value.nil? && type.start_with?('?')

  type = type.delete_prefix('?')
  value = value.gsub(/\A[ \t\r\n]+|[ \t\r\n]+\z/, "") if value.is_a?(String) && %w[email code].include?(type)
  valid = case type
          when 'quantity' then value.is_a?(Numeric) && value.between?(1, 1000) && (value % 1).zero?
          when 'boolean' then [true, false].include?(value)
          else value.is_a?(String) && value.valid_encoding? && value.match?(PATTERNS.fetch(type, PATTERNS['text']))
          end
  reject(400, 'invalid_request', "#{name}: must be a valid #{type}") unless valid
  { 'email' => :downcase, 'quantity' => :to_i }.fetch(type, :itself).to_proc.call(value)
end

# The operations of the API for one request. `fields` contains every field of the endpoint, with its default.
class Operations
  def initialize(db, fields)
    @db = db
    @fields = fields
  end

  def list_products
    email = @fields['email']
    rows = run('SELECT * FROM products WHERE available ORDER BY rowid')
    is_personal = run('SELECT 1 FROM recommendations WHERE email = ?', email).any?
    rows = run('SELECT * FROM recommended WHERE email = ?', email) if is_personal
    { products: rows.map { |product| to_product(product) } }
  end

  # Stores an add. Triggers of the schema change the items, and use the discount code.
  def add_product
    email = customer
    product = available_product(@fields['product_id'])
    current = run('SELECT id FROM current WHERE email = ?', email).first
    reject(404, 'subscription_not_found') if !current && @fields['one_time']
    run('INSERT INTO adds (email, subscription_id, product_id, quantity, once, discount_code) VALUES (?, ?, ?, ?, ?, ?)',
        email, current && current['id'], product['id'], @fields['quantity'], @fields['one_time'] ? 1 : 0, @fields['discount_code'])
  end

  def undo_add_product
    sql = 'SELECT id FROM adds WHERE email = ? AND product_id = ? AND NOT undone ORDER BY id DESC'
    add = find('product_not_in_order', sql, customer, @fields['product_id'])
    run('UPDATE adds SET undone = 1 WHERE id = ?', add['id'])
  end

  def get_subscription
    current = current_subscription
    {
      next_billing_date: current['next_billing_date'],
      items: items(current['id']),
      shipping_total_cost: current['shipping_cents'] / 100.0,
      order_discount_total: current['reduction_cents'] / 100.0,
      customer_tax_rate: current['tax_rate']
    }
  end

  # Stores an order. A trigger of the schema moves the billing date, and removes what the order uses up.
  def send_now
    current = current_subscription
    reject(400, 'order_already_processing') if current['ordered_today'] == 1
    reject(400, 'order_not_processable') unless current['total_cents']
    run('INSERT INTO orders (subscription_id) VALUES (?)', current['id'])
  end

  def delay_subscription
    date = @fields['new_date']
    reject(400, 'invalid_date') unless Date.valid_date?(*date.split('-').map(&:to_i))
    current = current_subscription
    reject(400, 'invalid_date') if date < current['earliest_delay']
    run('UPDATE subscriptions SET next_billing_date = ? WHERE id = ?', date, current['id'])
  end

  # Changes the product of an item. A trigger of the schema joins two items of one product, and uses the discount code.
  def swap_product
    id = current_subscription['id']
    item = find('item_not_found', 'SELECT * FROM items WHERE subscription_id = ? AND id = ?', id, @fields['current_item_id'])
    product = available_product(@fields['new_product_id'])
    sql = 'UPDATE items SET product_id = ?, discount_code = ? WHERE line_id = ?'
    run(sql, product['id'], @fields['discount_code'], item['line_id'])
  end

  def list_cancelled_subscriptions
    sql = "SELECT * FROM subscription_details WHERE email = ? AND status = 'cancelled' ORDER BY cancelled_on DESC"
    to_json = ->(found) { { subscription_id: found['id'], title: found['title'], products: items(found['id']) } }
    { subscriptions: run(sql, customer).map(&to_json) }
  end

  def reactivate_subscription
    sql = 'SELECT * FROM subscription_details WHERE email = ? AND id = ?'
    found = find('subscription_not_found', sql, customer, @fields['subscription_id'])
    reject(400, 'subscription_not_cancelled') if found['status'] == 'active'
    reject(400, 'subscription_not_eligible') if found['status'] == 'expired'
    run("UPDATE subscriptions SET cancelled_on = NULL, next_billing_date = date('now', '+1 days') WHERE id = ?", found['id'])
    run('INSERT INTO reductions VALUES (?, ?, ?, NULL)', found['id'], @fields['discount_code'], found['total_cents'])
  end

  def run_custom_action
    email = customer
    action = find('action_not_found', 'SELECT id FROM actions WHERE id = ?', @fields['action_id'])
    run('INSERT INTO action_runs VALUES (?, ?)', action['id'], email)
  end

  def get_discount
    found = find('discount_not_found', 'SELECT * FROM valid_discounts WHERE code = ?', @fields['discount_code'])
    return { discount_type: 'percentage', discount_percentage: found['percent'] } if found['percent']

    { discount_type: 'fixed_amount', discount_amount: found['cents'] / 100.0 }
  end

  private

  def run(sql, *values) = @db.execute(sql, values)
  def find(error, sql, *values) = run(sql, *values).first || reject(404, error)
  def customer = find('customer_not_found', 'SELECT email FROM customers WHERE email = ?', @fields['email'])['email']
  def current_subscription = find('subscription_not_found', 'SELECT * FROM current WHERE email = ?', customer)
  def items(subscription) = run('SELECT * FROM items WHERE subscription_id = ?', subscription).map { |item| to_product(item) }

  def available_product(id)
    product = find('product_not_found', 'SELECT * FROM products WHERE id = ?', id)
    product['available'] == 1 ? product : reject(400, 'product_unavailable')
  end

  def to_product(found)
    regular = found['compare_at_cents'] && (found['compare_at_cents'] / 100.0)
    { id: found['id'], title: found['title'], price: found['cents'] / 100.0, images: [found['image']],
      description: found['description'], quantity: found['quantity'], compare_at_price: regular }.compact
  end
end

# SQLite waits for the lock of another process. It blocks all threads of this process, so they need their own lock.
WRITE_LOCK = Mutex.new

# SQLite's code of an error that a trigger raises. The text of the error contains an API error code and a message.
TRIGGER = 1811

# Runs an action and stores the click in the same transaction. A repeat returns success and changes nothing.
def run_once(db, name, fields, key)
  is_valid = key.nil? || key.match?(/\A("[!#-~]{1,253}"|[!#-~][!-~]{0,254})\z/)
  reject(400, 'invalid_request', 'Idempotency-Key: must have 1 to 255 visible ASCII characters') unless is_valid
  digest = Digest::SHA256.hexdigest([name, fields].to_json)
  click = key ? "#{name} #{key.delete('"')}" : digest
  db.transaction(:immediate) do
    db.execute('DELETE FROM clicks WHERE expires_at < unixepoch()')
    earlier = db.get_first_row('SELECT * FROM clicks WHERE id = ?', click)
    reject(422, 'idempotency_key_reused') if earlier && earlier['request'] != digest
    unless earlier
      Operations.new(db, fields).public_send(name)
      # Without a key, the same request after another change of the customer is a new click.
      db.execute('DELETE FROM clicks WHERE email = ? AND id = request', fields['email'])
      seconds = key ? 86_400 : { send_now: 600 }.fetch(name, 10)
      db.execute('INSERT INTO clicks VALUES (?, ?, ?, unixepoch() + ?)', [click, fields['email'], digest, seconds])
    end
  end
rescue SQLite3::ConstraintException => e
  raise if e.code != TRIGGER
  reject(400, *e.message.split(': ', 2))
end

# Returns the fields of a query. A plus is a plus, because an email can contain it.
def read_query(query, types)
  pairs = URI.decode_www_form(query.gsub('+', '%2B'))
  repeated = ['code', *types.keys].find { |name| pairs.count { |pair| pair[0] == name } > 1 }
  reject(400, 'invalid_request', "#{repeated}: is repeated") if repeated
  fields = pairs.reject { |_, value| value.empty? }.to_h
  code = fields['code'] || fields['discount_code']
  reject(400, 'invalid_request', 'code: differs from discount_code') if (fields['discount_code'] || code) != code
  fields.merge('discount_code' => code)
rescue ArgumentError
  reject(400, 'invalid_request', 'The query is malformed.')
end

def read_object(body)
  reject(413, 'payload_too_large') if body.bytesize > 64 * 1024
  text = body.dup.force_encoding('UTF-8').delete_prefix("\uFEFF")
  object = text.valid_encoding? && text.match?(/\A\s*\{/) ? JSON.parse(text) : nil
  object.is_a?(Hash) ? object : reject(400, 'invalid_request', 'The body must be a JSON object.')
rescue JSON::ParserError
  reject(400, 'invalid_request', 'The body must be a JSON object.')
end

# WEBrick calls this method for a request that it rejects.
class WEBrick::HTTPResponse
  def create_error_page
    self['Content-Type'] = 'application/json; charset=utf-8'
    self.body = { success: false, error: { code: 'invalid_request', message: 'The request is malformed.' } }.to_json
  end
end

# WEBrick parses HTTP. `service` handles every method and path.
class Shop < WEBrick::HTTPServer
  def service(request, response)
    response['X-Request-Id'] = request['X-Request-Id'].to_s[/\A[\w.-]{1,128}\z/] || SecureRandom.hex(8)
    response['Content-Type'] = 'application/json; charset=utf-8'
    response['Cache-Control'] = 'no-store'
    response['X-Content-Type-Options'] = 'nosniff'
    response.status = 200
    response.body = { success: true, data: respond(request, response) }.compact.to_json
  rescue StandardError => e
    e = Failure.new(e.code, 'invalid_request', 'The request is malformed.') if e.is_a?(WEBrick::HTTPStatus::Error)
    failure = e.is_a?(Failure) ? e : Failure.new(500, 'internal_error', 'The shop failed.')
    warn e.full_message unless failure == e
    response.status = failure.status
    response.body = { success: false, error: { code: failure.code, message: failure.message } }.to_json
  end

  def respond(request, response)
    body = request.body.to_s
    response['WWW-Authenticate'] = 'ApiKey'
    keys = request.header['x-integration-api-key']
    reject(401, 'unauthorized') unless keys.length == 1 && OpenSSL.secure_compare(keys[0], ENV.fetch('STOREPORT_API_KEY'))
    response.header.delete('www-authenticate')
    path, query = request.unparsed_uri.sub(%r{\Ahttps?://[^/]*}i, '').split('?', 2)
    method, name, types = ENDPOINTS[path] || reject(404, 'endpoint_not_found')
    allowed = method == 'GET' ? %w[GET HEAD] : %w[POST]
    response['Allow'] = allowed.join(', ') unless allowed.include?(request.request_method)
    reject(405, 'method_not_allowed') if response['Allow']
    test_mode = request['X-Integration-Test-Mode'] == 'true' || query.to_s.split('&').include?('test=true')
    reject(400, 'invalid_request', 'This shop has no test store.') if test_mode
    json = request.content_type.to_s.match?(%r{\Aapplication/json\s*(;|\z)}i)
    reject(415, 'unsupported_media_type') unless json || method == 'GET'
    given = method == 'GET' ? read_query(query.to_s, types) : read_object(body)
    fields = types.to_h { |field, type| [field, check(field, type, given[field])] }
    db = SQLite3::Database.new(ENV.fetch('DATABASE'), results_as_hash: true)
    db.busy_timeout = 10_000
    db.extended_result_codes = true
    return Operations.new(db, fields).public_send(name) if method == 'GET'

    WRITE_LOCK.synchronize { run_once(db, name, fields, request['Idempotency-Key']) }
    nil
  ensure
    db&.close
  end
end

server = Shop.new(BindAddress: '127.0.0.1', Port: ENV.fetch('PORT', '8000').to_i, AccessLog: [], Logger: WEBrick::Log.new($stderr, 1))
# Sends the headers and the body without a delay between them.
server.listeners.each { |listener| listener.setsockopt(:TCP, :NODELAY, true) }
puts "http://127.0.0.1:#{server.listeners[0].addr[1]}"
$stdout.flush
server.start
