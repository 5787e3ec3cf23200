import { gzipSync } from 'node:zlib'
import { createIntegration, endpoints, type EndpointName, type StorePort } from '@storeport/core'
import { keys } from '@storeport/testing/keys'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { quickMounts, variants } from './mounts.ts'
import { nodeMount } from './node.ts'

/* Tests requests that clients send in different notations. The frameworks read them before StorePort does. */

const note = vi.fn(async () => {})
const store: StorePort = {
  listProducts: async (...call: unknown[]) => (Reflect.apply(note, undefined, call), { products: [] }),
  getDiscount: async (...call: unknown[]) => (Reflect.apply(note, undefined, call), null),
  ...{ addProduct: note, swapProduct: note, reactivateSubscription: note },
}

const email = 'a+b@example.com'
const code = 'SUMMER SALE'

/** The wire checks send further notations of a code and of an email. */
const queries: readonly (readonly [name: EndpointName, query: string, input: object])[] = [
  ['getDiscount', 'discount_code=SUMMER+SALE', { discount_code: code }],
  ['getDiscount', 'discount_code=SUMMER%20SALE', { discount_code: code }],
  ['getDiscount', 'promo=+SUMMER+SALE+', { discount_code: code }],
  ['getDiscount', 'discount_code=1%2B1+FREE', { discount_code: '1+1 FREE' }],
  ['listProducts', 'email=a+b@example.com', { email }],
  ['listProducts', 'email=a%2Bb%40example.com', { email }],
  ['listProducts', 'customer_email=a+b%40example.com', { email }],
  ['listProducts', 'customer_email=&email=a+b@example.com', { email }],
]

const add = { email, product_id: 'tea' }
const added = { ...add, quantity: 1, one_time: false }
const swap = { email, current_item_id: 'tea', new_product_id: 'mug' }
const again = { email, subscription_id: 's' }

const bodies: readonly (readonly [EndpointName, body: object, input: object])[] = [
  ['addProduct', { ...add, discount_code: '' }, added],
  ['addProduct', { ...add, discount_code: '', promo: code }, { ...added, discount_code: code }],
  ['swapProduct', { ...swap, discount_code: '' }, swap],
  ['reactivateSubscription', { ...again, promo: '' }, again],
]

/** The wire checks send further invalid values. */
const rejected: readonly (readonly [fields: object, message: string])[] = [
  [{ discount_code: 'A', promo: 'B' }, 'has two different values under two names. Send only one of the names.'],
  [{ discount_code: ' \n' }, 'must not be empty'],
]

const json = 'application/json'
/** The wire checks send further parameters. */
const utf8 = [`${json}; note="; charset=latin1"`, `${json};;charset=`, `${json};charset=utf8`]
const noCharset = 'is not supported. Send the body in UTF-8.'
const noCoding = 'is not supported. Send the body without compression.'
const unsupported: readonly (readonly [headers: Record<string, string>, message: string])[] = [
  [{ 'Content-Type': `${json}; charset=ISO-8859-1` }, `Content-Type: the charset iso-8859-1 ${noCharset}`],
  [{ 'Content-Type': `${json};version=1;Charset = "utf-16"` }, `Content-Type: the charset utf-16 ${noCharset}`],
  [{ 'Content-Type': `${json}; charset=utf-8; charset=us-ascii` }, `Content-Type: the charset us-ascii ${noCharset}`],
  [{ 'Content-Type': `${json}; charset=<a@b.example>` }, `Content-Type: this charset ${noCharset}`],
  [{ 'Content-Encoding': 'gzip' }, `Content-Encoding: the coding gzip ${noCoding}`],
  [{ 'Content-Encoding': 'identity, BR' }, `Content-Encoding: the coding br ${noCoding}`],
  [{ 'Content-Encoding': 'aws-chunked' }, `Content-Encoding: the coding aws-chunked ${noCoding}`],
  [{ 'Content-Encoding': `x${'y'.repeat(50)}` }, `Content-Encoding: this coding ${noCoding}`],
]

const { fetch: _fetch, ...quick } = quickMounts
const { 'node without a socket': _socket, ...others } = variants
/** Mounts with a real server. Express 4 and 5 after body parsers read the body before the integration. */
const mounts = Object.entries({ node: nodeMount, ...quick, ...others })

describe.each(mounts)('request notations on %s', (mount, { start }) => {
  let url = ''
  let stop: (() => unknown) | undefined

  beforeAll(async () => {
    const aliases = { discount_code: ['promo'], email: ['customer_email'] }
    const mounted = await start(createIntegration({ store, apiKeys: [keys.first], aliases, retries: false }))
    url = `${mounted.url}/integration`
    stop = () => mounted.stop?.()
  })
  afterAll(() => stop?.())

  /** Returns the status, the message of the error and the input of the store. */
  async function send(name: EndpointName, query: string, init: RequestInit = {}) {
    note.mockClear()
    const headers = { 'X-Integration-API-Key': keys.first, 'Content-Type': json, ...Object(init.headers) }
    const { method, path } = endpoints[name]
    const response = await fetch(url + path + query, { method, ...init, headers })
    const { error }: { error?: { message: string } } = JSON.parse(await response.text())
    return [response.status, error?.message, note.mock.calls.map(([input]: unknown[]) => input)]
  }

  it.each(queries)('reads %s?%s', async (name, query, input) => {
    expect((await send(name, `?${query}`))[2]).toEqual([input])
  })

  it.each(bodies)('reads %s %j', async (name, body, input) => {
    expect(await send(name, '', { body: JSON.stringify(body) })).toEqual([200, undefined, [input]])
  })

  it.each(rejected)('rejects addProduct %j', async (fields, reason) => {
    const message = `discount_code: ${reason}`
    expect(await send('addProduct', '', { body: JSON.stringify({ ...add, ...fields }) })).toEqual([400, message, []])
  })

  it.each(utf8)('accepts the content type %s', async (type) => {
    const init = { headers: { 'Content-Type': type, 'Content-Encoding': 'Identity' }, body: JSON.stringify(add) }
    // The parser of Express does not know this name of UTF-8.
    const status = mount.includes('after body parsers') && type.endsWith('utf8') ? 415 : 200
    expect((await send('addProduct', '', init))[0]).toBe(status)
  })

  it.each(unsupported)('rejects a body with %j', async (headers, message) => {
    const body = JSON.stringify(add)
    const packed = headers['Content-Encoding'] === 'gzip' ? new Uint8Array(gzipSync(body)) : body
    expect(await send('addProduct', '', { headers, body: packed })).toEqual([415, message, []])
  })
})
