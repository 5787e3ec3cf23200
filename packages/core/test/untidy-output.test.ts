import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints, type EndpointName, type ErrorSummary, StoreError, type StorePort } from '@storeport/core'
import { createTryParser } from '../src/contract/schemas.ts'
import { createLeftOutReports } from '../src/pipeline/report-left-out.ts'
import { integrationOf, send, subscription } from './support.ts'

const email = 'c@example.com'
const image = 'https://cdn.example/a.jpg'
const local = 'http://localhost:3000/a.svg'
const product = { id: 'sku-17', title: 'Beans', price: 19.95, images: [image] }
const other = { ...product, id: 'other' }
const item = { ...product, quantity: 2 }
const date = '2030-01-15'

/** Returns a function that reads an endpoint of a shop whose method returns `output`. */
function shopReturning(name: EndpointName, output: unknown) {
  const reported: ErrorSummary[] = []
  const store: StorePort = { [name]: async () => output }
  const integration = integrationOf(store, { onError: (_error, summary) => reported.push(summary) })
  const read = (query = '') => send(integration, `/integration${endpoints[name].path}${query}`)
  return { read, reported, lines: () => reported.map(({ message }) => message) }
}

/** Reads the general product list of a shop, which also has a valid product. */
async function listWith(row: unknown) {
  const { read, lines, reported } = shopReturning('listProducts', { products: [other, row] })
  const { status, json } = await read()
  for (const summary of reported) expect(summary).toMatchObject({ code: 'invalid_store_response', isLeftOut: true })
  const [, served]: unknown[] = status === 200 ? Object(json.data).products : []
  return { status, served, lines: lines() }
}

/** Returns the product with other fields, which can be getters. */
const withFields = (changes: object) =>
  Object.defineProperties({ ...product }, Object.getOwnPropertyDescriptors(changes))
const fail = () => {
  throw new Error(email)
}
const throwing = (name: string) => Object.defineProperty({}, name, { get: fail, enumerable: true })
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe('a product of a list', () => {
  it.each<[what: string, changes: object, served: object]>([
    ['null in optional fields', { description: null, compare_at_price: null }, product],
    ['an empty description', { description: '' }, product],
    ['a description of control characters', { description: '\u0000\u001b' }, product],
    ['a half surrogate at the end', { title: 'Beans \uD83D' }, { ...product, title: 'Beans \uFFFD' }],
    ['a half surrogate at the start', { description: '\uDE00 x' }, { ...product, description: '\uFFFD x' }],
    ['control characters', { title: 'B\u0000e\u0085a\u007Fns' }, product],
    ['lines', { description: 'a\r\nb\tc' }, { ...product, description: 'a\nb\tc' }],
    ['emoji and letters outside ASCII', { description: '☕ 👩‍🌾 Ärger' }, { ...product, description: '☕ 👩‍🌾 Ärger' }],
    ['a carriage return after an image', { images: [`${image}\r`] }, product],
    ['a low regular price', { compare_at_price: 1 }, { ...product, compare_at_price: 1 }],
    ['a long description', { description: 'x'.repeat(100_000) }, { ...product, description: 'x'.repeat(100_000) }],
    ['a local image with a port', { images: [local] }, { ...product, images: [local] }],
  ])('is served without a report: %s', async (_what, changes, served) => {
    const row = Object.assign(Object.create(null), { ...product, ...changes })
    expect(await listWith(row)).toEqual({ status: 200, served, lines: [] })
  })

  it.each<[changes: object, lines: readonly string[], kept?: object]>([
    [{ description: 12 }, ['description is a number']],
    [{ compare_at_price: '24.95' }, ['compare_at_price is a string']],
    [{ compare_at_price: Number.NaN }, ['compare_at_price is NaN']],
    [{ compare_at_price: -1 }, ['compare_at_price must not be negative']],
    [{ compare_at_price: 12n }, ['compare_at_price is a bigint']],
    [{ compare_at_price: new Date(0) }, ['compare_at_price is a Date']],
    [throwing('description'), ['description cannot be read']],
    [{ images: null }, ['images is null'], { images: [] }],
    [{ images: image }, ['images is a string, not a list'], { images: [] }],
    [{ images: { 0: image } }, ['images is an object, not a list'], { images: [] }],
    [{ images: revoked() }, ['images cannot be read, not a list'], { images: [] }],
    [{ images: [image, 'https://cdn.example/a b.jpg'] }, ['images.1 has a space']],
    [{ images: [`${image}\n`, image] }, ['images.0 has a line break']],
    [{ images: ['//cdn.example/b.jpg', image] }, ['images.0 has no https: in front']],
    [
      { images: ['/b.jpg', 'b.jpg', image] },
      ['images.0 has no https:// and host in front', 'images.1 has no https:// and host in front'],
    ],
    [{ images: ['data:image/png;base64,AA', image] }, ['images.0 is a data: URL, not the URL of a file']],
    [{ images: ['javascript:alert(1)', image] }, ['images.0 does not start with https://']],
    [{ images: ['https://u:p@cdn.example/a.jpg', image] }, ['images.0 has a user name or a password']],
    [{ images: ['https://', '', image] }, ['images.0 is not a valid URL', 'images.1 is empty']],
    // oxlint-disable-next-line no-sparse-arrays -- the subject of this test
    [{ images: [, null, { src: image }, image] }, ['images.0 is missing', 'images.1 is null', 'images.2 is an object']],
  ])('loses only its invalid parts (row %#)', async (changes, lines, kept = {}) => {
    const expected = lines.map((line) => `product sku-17: ${line}`)
    expect(await listWith(withFields(changes))).toEqual({
      status: 200,
      served: { ...product, ...kept },
      lines: expected,
    })
  })

  it.each<[row: unknown, lines: readonly string[]]>([
    [{ ...product, price: '19.95' }, ['product sku-17: price is a string']],
    [
      { ...product, title: undefined, price: -1 },
      ['product sku-17: title is missing', 'product sku-17: price must not be negative'],
    ],
    [{ ...product, title: '\u0000' }, ['product sku-17: title must not be empty']],
    [{ ...product, id: 17 }, ['product 17: id is a number']],
    [{ ...product, id: 17n }, ['product 17: id is a bigint']],
    [{ ...product, id: '' }, ['product "Beans": id must not be empty']],
    [{ ...product, id: 'a\nb' }, ['product a b: id must not contain control characters']],
    [{ ...product, id: 'a\uD800' }, ['product a\uFFFD: id must not contain control characters']],
    [{ ...product, id: 'x'.repeat(256) }, [`product ${'x'.repeat(60)}: id must be at most 255 characters`]],
    [{ ...product, id: email, price: 'x' }, ['product [email]: price is a string']],
    [other, ['product other: id is the same as in an earlier row']],
    [null, ['product at position 2 is null']],
    [undefined, ['product at position 2 is missing']],
    ['sku-17', ['product at position 2 is a string, not an object']],
    [[product], ['product at position 2 is a list, not an object']],
    [{}, ['id', 'title', 'price', 'images'].map((field) => `product at position 2: ${field} is missing`)],
    [withFields(throwing('price')), ['product sku-17: price cannot be read']],
  ])('is left out of the list if a required field is invalid (row %#)', async (row, lines) => {
    expect(await listWith(row)).toEqual({ status: 200, served: undefined, lines })
  })
})

it('serves an empty list if no row is valid, except for the general list, where an empty list would hide an incorrect mapping', async () => {
  const broken = { products: [{ ...product, price: '1' }] }
  const line = 'product sku-17: price is a string'
  const general = shopReturning('listProducts', broken)
  expect([(await general.read()).status, general.lines()]).toEqual([500, [expect.stringContaining(line)]])
  const ofCustomer = shopReturning('listProducts', broken)
  expect([(await ofCustomer.read(`?email=${email}`)).json.data, ofCustomer.lines()]).toEqual([{ products: [] }, [line]])
  const empty = shopReturning('listProducts', { products: [] })
  expect([(await empty.read()).json.data, empty.lines()]).toEqual([{ products: [] }, []])
})

it('leaves out an invalid cancelled subscription and an item of quantity 0', async () => {
  const terms = { title: 'Monthly', products: [item] }
  const withoutImages = { ...item, images: null }
  const { read, lines } = shopReturning('listCancelledSubscriptions', {
    subscriptions: [
      { ...terms, subscription_id: 'a' },
      { ...terms, subscription_id: 'b', products: [item, { ...item, id: 'x', price: Number.NaN }] },
      { ...terms, subscription_id: 'c', products: [{ ...item, quantity: 0 }, withoutImages] },
      { ...terms, subscription_id: 'a', title: 'Weekly' },
      { ...terms, subscription_id: 'd', products: null },
    ],
  })
  expect((await read(`?email=${email}`)).json.data).toEqual({
    subscriptions: [
      { ...terms, subscription_id: 'a' },
      { ...terms, subscription_id: 'c', products: [{ ...item, images: [] }] },
    ],
  })
  expect(lines()).toEqual([
    'subscription b: product x: price is NaN',
    'subscription c: product sku-17: quantity is 0',
    'subscription c: product sku-17: images is null',
    'subscription a: subscription_id is the same as in an earlier row',
    'subscription d: products is null',
  ])
})

it('serves the current subscription without invalid images and items of quantity 0', async () => {
  const items = [
    { ...item, description: 5, images: ['a.jpg'] },
    { ...item, id: 'gone', quantity: 0, price: null },
  ]
  const costs = { shipping_total_cost: null, order_discount_total: null, customer_tax_rate: null }
  const { read, lines } = shopReturning('getSubscription', { next_billing_date: date, items, ...costs })
  expect((await read(`?email=${email}`)).json.data).toEqual({
    next_billing_date: date,
    items: [{ ...item, images: [] }],
  })
  expect(lines()).toEqual([
    'item sku-17: images.0 has no https:// and host in front',
    'item sku-17: description is a number',
    'item gone: quantity is 0',
  ])
})

const withItem = (...changes: object[]) => ({
  ...subscription,
  items: changes.map((change) => ({ ...subscription.items[0], ...change })),
})

it.each([
  [undefined, 'The value is missing'],
  [[], 'The value is a list, not an object with next_billing_date, items'],
  [{ ...subscription, next_billing_date: new Date(0) }, 'next_billing_date is a Date'],
  [{ ...subscription, next_billing_date: '2026-02-30' }, 'next_billing_date must be a date that exists'],
  [{ next_billing_date: '2026-12-01' }, 'items is missing'],
  [{ ...subscription, items: new Set() }, 'items is an object, not a list'],
  [withItem({ price: '19.95' }), 'item item_1: price is a string'],
  [withItem({ quantity: 1.5 }), 'item item_1: quantity must be a whole number'],
  [withItem({ quantity: -1 }), 'item item_1: quantity must be at least 1'],
  [withItem({}, {}), 'item item_1: id is the same as in an earlier row'],
  [{ ...subscription, customer_tax_rate: 8 }, 'customer_tax_rate must be at least 0 and below 1: 0.08 means 8 %'],
  [{ ...subscription, customer_tax_rate: -0.1 }, '0.08 means 8 %'],
  [{ ...subscription, shipping_total_cost: -1 }, 'shipping_total_cost must not be negative'],
  [{ ...subscription, order_discount_total: Infinity }, 'order_discount_total is infinite'],
])('rejects a current subscription with an invalid required field or amount: %o', async (output, message) => {
  const { read, lines } = shopReturning('getSubscription', output)
  const { status, json } = await read(`?email=${email}`)
  const error = { code: 'invalid_store_response', message: 'The shop returned a response that the API does not allow.' }
  expect([status, json.error, lines()]).toEqual([500, error, [expect.stringContaining(message)]])
})

it('names the kinds of a discount if the kind is invalid', async () => {
  const { read, lines } = shopReturning('getDiscount', { discount_type: 'fixed', discount_amount: 5 })
  expect((await read('?discount_code=X')).status).toBe(500)
  expect(lines()[0]).toContain('discount_type must be percentage or fixed_amount')
})

it('removes control characters and half surrogates from the message of a StoreError', async () => {
  const store: StorePort = {
    getDiscount: async () => {
      throw new StoreError('discount_not_found', `\u0007No ${'x'.repeat(495)}😀 and more`)
    },
  }
  const { text } = await send(integrationOf(store), '/integration/discounts/get-discount?discount_code=X')
  expect(text).not.toMatch(/\\u/)
})

/** Creates rows in which any field may have any value. */
function anyRow(valid: object) {
  const fields = Object.entries(valid).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: fc.constant(value) }, untidy),
  ])
  return fc.oneof({ weight: 20, arbitrary: fc.record(Object.fromEntries(fields)) }, untidy)
}
const untidy = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true }),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.array(fc.oneof(fc.webUrl(), fc.string({ unit: 'binary' }), fc.constant(image))),
)

it('returns only data that the contract allows, whatever the store returns', async () => {
  const items = fc.array(anyRow({ ...item, description: 'x' }), { maxLength: 3 })
  const rows = fc.array(anyRow({ ...product, compare_at_price: 24.95, description: 'x' }), { maxLength: 5 })
  const cancelled = items.chain((products) => anyRow({ subscription_id: 's', title: 'Monthly', products }))
  const costs = { shipping_total_cost: 1.005, order_discount_total: 0, customer_tax_rate: 0.08 }
  const outputs: readonly [EndpointName, fc.Arbitrary<unknown>][] = [
    ['listProducts', rows.map((products) => ({ products }))],
    ['getSubscription', items.chain((list) => anyRow({ next_billing_date: date, items: list, ...costs }))],
    ['listCancelledSubscriptions', fc.array(cancelled, { maxLength: 3 }).map((subscriptions) => ({ subscriptions }))],
    ['getDiscount', anyRow({ discount_type: 'fixed_amount', discount_amount: 5 })],
  ]
  let served = 0
  for (const [name, arbitrary] of outputs) {
    const query = name === 'getDiscount' ? '?discount_code=X' : `?email=${email}`
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 20, arbitrary }, untidy), async (output) => {
        const { status, json, text } = await shopReturning(name, output).read(query)
        if (status !== 200) {
          expect(json.error?.code).toMatch(/^(?:invalid_store_response|\w+_not_found)$/)
          return
        }
        served += 1
        expect(createTryParser(endpoints[name].output)(json.data)).toEqual(expect.objectContaining({ data: json.data }))
        JSON.parse(text, (_name, value) => {
          if (typeof value === 'string') expect(value).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cs}]/u)
          return value
        })
        const again = shopReturning(name, json.data)
        expect([(await again.read(query)).json.data, again.lines()]).toEqual([json.data, []])
      }),
      { numRuns: 200 },
    )
  }
  expect(served).toBeGreaterThan(100)
})

describe('reports of what was left out', () => {
  const setUp = () => {
    const shown: string[] = []
    const clock = { now: 0 }
    const report = createLeftOutReports(
      (line: string) => shown.push(line),
      () => clock.now,
    )
    return { clock, take: (lines: readonly string[]) => (report(lines, undefined), shown.splice(0)) }
  }
  const lines = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `product ${from + index}: x`)
  const atMost = '1000 problems in an hour, no more are reported in this hour'

  it('occur once an hour for each problem', () => {
    const { clock, take } = setUp()
    expect(take(['a', 'b', 'a'])).toEqual(['a', 'b'])
    clock.now = 3_599_999
    expect(take(['b', 'c'])).toEqual(['c'])
    clock.now = 3_600_000
    expect(take(['a', 'b', 'c'])).toEqual(['a', 'b'])
  })

  it('have at most 20 lines for a response, then the number of the others', () => {
    const { take } = setUp()
    expect(take(lines(20))).toEqual(lines(20))
    expect(take(lines(50))).toEqual([...lines(20, 20), '10 more problems in this response'])
    expect(take(lines(50))).toEqual(lines(10, 40))
  })

  it('remember at most 1,000 problems, and start again after an hour', () => {
    const { clock, take } = setUp()
    for (let from = 0; from < 995; from += 5) expect(take(lines(5, from))).toEqual(lines(5, from))
    expect(take(lines(30, 995))).toEqual([...lines(5, 995), '25 more problems in this response', atMost])
    expect(take(lines(2000))).toEqual([])
    clock.now = 3_600_000
    expect(take(lines(2000))).toHaveLength(21)
  })
})
