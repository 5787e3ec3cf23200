import type { BenchDatabase } from '../store/databases.ts'
import type { ClickProcess } from './click-process.ts'
import type { AddRequest } from './run-clicks.ts'

const email = 'subscription@example.com'
const known = { email, product_id: 'test_12345' }

/** What both sides are asked before they are timed, in this order. */
const probes: readonly (readonly [what: string, request: AddRequest])[] = [
  ['a product that was ordered before', add(known)],
  ['the same again, which is the same click', add(known)],
  [
    'in other letter case and with defaults, still the same',
    add({ ...known, email: ` ${email.toUpperCase()}`, quantity: 1 }),
  ],
  ['a new product', add({ email, product_id: 'test_54321', quantity: 3, one_time: false })],
  ['the first one again: another click came between', add(known)],
  ['for the next order only', add({ ...known, one_time: true }, { 'x-request-id': 'probe-1' })],
  ['no key', { ...add(known), headers: { 'x-integration-api-key': '' } }],
  ['a wrong key', { ...add(known), headers: { 'x-integration-api-key': 'bench-key-0123456789abcdeX' } }],
  ['no JSON', { body: '{' }],
  ['another media type', { ...add(known), headers: { 'content-type': 'text/plain' } }],
  ['no object', { body: '[]' }],
  ['no email', add({ email: 'nobody', product_id: 'test_12345' })],
  ['no product', add({ email })],
  ['half a unit', add({ ...known, quantity: 0.5 })],
  ['too many', add({ ...known, quantity: 1001 })],
  ['too many together', add({ ...known, quantity: 1000 })],
  ['a flag that is none', add({ ...known, one_time: 'yes' })],
  ['an unknown customer', add({ ...known, email: 'stranger@example.com' })],
  ['an unknown product', add({ email, product_id: 'test_99999' })],
  ['a product that is not available', add({ email, product_id: 'test_00000' })],
]

/**
 * Throws unless two processes answer alike, the same bytes for a success and the same status for a refusal, and leave
 * the same in their databases.
 */
export async function checkClicks(database: BenchDatabase, sides: readonly CheckedSide[]): Promise<void> {
  for (const [what, request] of probes) {
    const answers: string[] = []
    for (const { clicks } of sides) {
      const { status, headers, body } = await clicks.probe(request)
      const id = request.headers?.['x-request-id'] === undefined ? '' : headers['X-Request-Id']
      answers.push(status === 200 ? JSON.stringify([status, { ...headers, 'X-Request-Id': id }, body]) : String(status))
    }
    if (new Set(answers).size > 1) throw new Error(`${database.name}, ${what}: ${answers.join(' or ')}`)
  }
  await checkTables(
    database,
    sides.map(({ url }) => url),
  )
}

/** A process and the address of its database. */
export interface CheckedSide {
  readonly clicks: ClickProcess
  readonly url: string
}

/** What a click may leave behind, without random ids and times; each side remembers clicks in its own way. */
const contents: Readonly<Record<string, string>> = {
  items: `select subscription_id, product_id, quantity, price_minor, case when one_time then 1 else 0 end as one_time, position
    from items order by subscription_id, position`,
  open_adds: `select email_key, open_adds.product_id, open_adds.quantity, open_adds.subscription_id, order_id, discount_use_id,
      open_adds.position, items.position as of_item
    from open_adds join customers on customers.id = open_adds.customer_id left join items on items.id = item_id
    order by email_key, open_adds.position`,
  others: `select (select count(*) from orders) as orders, (select count(*) from discount_uses) as uses,
      (select count(*) from actions_run) as actions`,
}

/** Throws unless databases have the same contents, as far as clicks change them. */
export async function checkTables(database: BenchDatabase, urls: readonly string[]): Promise<void> {
  for (const [table, sql] of Object.entries(contents)) {
    const [first = '', ...others] = await Promise.all(
      urls.map(async (url) => (await database.query(url, sql)).map((row) => JSON.stringify(row)).join('\n')),
    )
    for (const other of others) {
      if (other !== first) throw new Error(`${database.name}, ${table}:\n${firstDifference(first, other)}`)
    }
  }
}

function firstDifference(one: string, other: string): string {
  const lines = other.split('\n')
  const [index = 0, line] = [...one.split('\n').entries()].find(([place, text]) => text !== lines[place]) ?? []
  return `${line}\n${lines[index]}`
}

function add(body: object, headers: Readonly<Record<string, string>> = {}): AddRequest {
  return { headers, body: JSON.stringify(body) }
}
