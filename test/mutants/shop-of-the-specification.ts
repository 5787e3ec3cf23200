import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A shop written from what the contract specifies (docs/guide/contract.md, level must) alone: no package of this repository,
 * codes and statuses of its own, and its own idea of whatever the contract leaves open. Only the names that are not shown there are those of the contract.
 */

interface Line {
  id: string
  product_id: string
  quantity: number
  once: boolean
}

interface Subscription {
  id: string
  state: 'active' | 'cancelled' | 'gone'
  next: string
  lines: Line[]
}

interface Customer {
  subscriptions: Subscription[]
  adds: { line: Line; quantity: number }[]
}

type Fields = Readonly<Record<string, unknown>>

/** What a call ends with when it cannot be done. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const catalogue = new Map([
  ['test_12345', { title: 'Coffee', price: 19.95 }],
  ['test_67890', { title: 'Tea', price: 29.95, compare_at_price: 39.95 }],
  ['test_54321', { title: 'Cocoa', price: 49.95 }],
])

const images = ['https://shop.example/product.png']

function productOf(id: string) {
  const product = catalogue.get(id)
  if (product === undefined) throw new Refused(422, `there is no product ${id}`)
  return { id, images, description: `${product.title}, fresh`, ...product }
}

function day(distance: number): string {
  return new Date(Date.now() + distance * 86_400_000).toISOString().slice(0, 10)
}

function monthAfter(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return `${month === 12 ? year + 1 : year}-${String((month % 12) + 1).padStart(2, '0')}-${date.slice(8).replace(/29|3./, '28')}`
}

let made = 0

function line(product_id: string, quantity: number, once = false): Line {
  return { id: `line-${++made}`, product_id, quantity, once }
}

function seeded(): Map<string, Customer> {
  const subscription = (id: string, state: Subscription['state'], next: string, ...lines: Line[]): Subscription => {
    return { id, state, next, lines }
  }
  const customer = (...subscriptions: Subscription[]): Customer => ({ subscriptions, adds: [] })
  return new Map([
    ['test@example.com', customer()],
    [
      'subscription@example.com',
      customer(
        subscription('sub_1001', 'active', day(14), line('test_12345', 2), line('test_67890', 1)),
        subscription('sub_1002', 'active', day(30), line('test_54321', 1)),
      ),
    ],
    [
      'cancelled@example.com',
      customer(
        subscription('sub_2003', 'cancelled', day(9), line('test_12345', 1)),
        subscription('sub_2002', 'cancelled', day(9), line('test_67890', 2)),
        subscription('sub_2001', 'gone', day(9), line('test_54321', 1)),
      ),
    ],
    [
      'another@example.com',
      customer(
        subscription('sub_3001', 'active', day(7), line('test_54321', 3)),
        subscription('sub_3002', 'cancelled', day(9), line('test_12345', 1)),
      ),
    ],
  ])
}

function currentOf(customer: Customer): Subscription {
  const active = customer.subscriptions.filter(({ state }) => state === 'active')
  const [current] = active.toSorted((one, other) => (one.next < other.next ? -1 : 1))
  if (current === undefined) throw new Refused(404, 'there is no subscription')
  return current
}

function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Refused(400, `${name} is wrong`)
  return value
}

function email(fields: Fields): string {
  const value = text(fields, 'email')
  if (!/^[^\s@,<>"]+@[^\s@,<>"]+$/.test(value)) throw new Refused(400, 'email is wrong')
  return value
}

function optional(fields: Fields, name: string, type: 'string' | 'boolean'): void {
  const value = fields[name]
  if (value !== undefined && value !== null && typeof value !== type) throw new Refused(400, `${name} is wrong`)
}

function quantityOf({ quantity: value = 1 }: Fields): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) throw new Refused(400, 'quantity is wrong')
  return value
}

/** Serves the shop on a free port; `close` ends it. */
export async function serveSpecification(apiKey: string): Promise<{ url: string; close(): void }> {
  const customers = seeded()
  const find = (fields: Fields): Customer => {
    const customer = customers.get(email(fields))
    if (customer === undefined) throw new Refused(404, 'there is no such customer')
    return customer
  }

  /** What each endpoint does; what it answers is `data`. */
  const endpoints: Readonly<Record<string, (fields: Fields) => object | void>> = {
    'GET /upsells/products': (fields) => {
      const customer = fields['email'] === undefined ? undefined : customers.get(email(fields))
      const owned = customer?.subscriptions.find(({ state }) => state === 'active')?.lines ?? []
      const ids = [...catalogue.keys()].filter((id) => owned.every(({ product_id }) => product_id !== id))
      return { products: ids.map(productOf) }
    },
    'POST /upsells/add-product': (fields) => {
      optional(fields, 'discount_code', 'string')
      optional(fields, 'one_time', 'boolean')
      const count = quantityOf(fields)
      const { id } = productOf(text(fields, 'product_id'))
      const customer = find(fields)
      const { lines } = currentOf(customer)
      const once = fields['one_time'] === true
      const found = lines.find((other) => other.product_id === id && other.once === once) ?? line(id, 0, once)
      if (!lines.includes(found)) lines.push(found)
      found.quantity += count
      customer.adds.push({ line: found, quantity: count })
    },
    'POST /upsells/undo-add-product': (fields) => {
      const id = text(fields, 'product_id')
      const customer = find(fields)
      const add = customer.adds.findLast((other) => other.line.product_id === id)
      if (add === undefined) throw new Refused(409, 'nothing was added')
      customer.adds.splice(customer.adds.indexOf(add), 1)
      add.line.quantity -= add.quantity
      for (const one of customer.subscriptions) one.lines = one.lines.filter((other) => other.quantity > 0)
    },
    'GET /customer-portal/subscription': (fields) => {
      const { next, lines } = currentOf(find(fields))
      const items = lines.map(({ id, product_id, quantity: count }) => {
        return { ...productOf(product_id), id, quantity: count }
      })
      return { next_billing_date: next, items, customer_tax_rate: 0.08 }
    },
    'POST /customer-portal/send-now': (fields) => {
      const current = currentOf(find(fields))
      current.next = monthAfter(current.next)
      current.lines = current.lines.filter(({ once }) => !once)
    },
    'POST /customer-portal/delay': (fields) => {
      const date = text(fields, 'new_date')
      if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Refused(400, 'new_date is wrong')
      currentOf(find(fields)).next = date
    },
    'POST /customer-portal/swap-product': (fields) => {
      optional(fields, 'discount_code', 'string')
      const [from, to] = [text(fields, 'current_item_id'), text(fields, 'new_product_id')]
      const item = currentOf(find(fields)).lines.find(({ id }) => id === from)
      if (item === undefined) throw new Refused(409, 'there is no such item')
      item.product_id = productOf(to).id
    },
    'GET /reactivate/cancelled-subscriptions': (fields) => {
      const cancelled = customers.get(email(fields))?.subscriptions.filter(({ state }) => state === 'cancelled') ?? []
      const subscriptions = cancelled.map(({ id, lines }) => {
        const products = lines.map(({ product_id, quantity: count }) => ({ ...productOf(product_id), quantity: count }))
        return { subscription_id: id, title: `Box ${id}`, products }
      })
      return { subscriptions }
    },
    'POST /reactivate/subscription': (fields) => {
      const id = text(fields, 'subscription_id')
      const found = find(fields).subscriptions.find((one) => one.id === id && one.state === 'cancelled')
      if (found === undefined) throw new Refused(409, 'there is nothing to reactivate')
      found.state = 'active'
    },
    'POST /custom-action': (fields) => {
      text(fields, 'action_id')
      find(fields)
    },
    'GET /discounts/get-discount': (fields) => {
      const code = text(fields, 'discount_code')
      if (code === 'TEST10') return { discount_type: 'percentage', discount_percentage: 10, discount_amount: 0 }
      if (code === 'FIVEOFF') return { discount_type: 'fixed', discount_amount: 5 }
      throw new Refused(409, 'there is no such code')
    },
  }

  const answer = async (req: IncomingMessage): Promise<[status: number, body: object]> => {
    if (req.headers['x-integration-api-key'] !== apiKey) throw new Refused(401, 'the key is wrong')
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost')
    const run = endpoints[`${req.method} ${pathname.replace(/^\/integration/, '')}`]
    if (run === undefined) throw new Refused(404, 'there is nothing here')
    const data = run(req.method === 'GET' ? Object.fromEntries(searchParams) : await bodyOf(req))
    return [200, data === undefined ? { success: true } : { success: true, data }]
  }

  const listener: RequestListener = (req, res) => {
    void answer(req)
      .catch((error: unknown): [status: number, body: object] => {
        const { status, message } = error instanceof Refused ? error : new Refused(500, 'something broke')
        return [status, { success: false, error: { code: `E${status}`, message } }]
      })
      .then(([status, body]) => {
        res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      })
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object.assign({ port: 0, family: '', address: '' }, server.address())
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close(() => {}).closeAllConnections() }
}

async function bodyOf(req: IncomingMessage): Promise<Fields> {
  const chunks: Uint8Array[] = []
  for await (const chunk of req) chunks.push(chunk)
  try {
    return Object.assign({}, JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch {
    throw new Refused(400, 'the body is no JSON')
  }
}
