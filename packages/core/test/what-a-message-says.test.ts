import { describe, expect, it } from 'vitest'
import { endpointNames } from '@storeport/core'
import { integrationOf, send } from './support.ts'
import { findJsonMistake } from '../src/http/json-mistake.ts'

const store = Object.fromEntries(endpointNames.map((name) => [name, async () => null]))
const integration = integrationOf(store, { onError: () => {} })
const delay = '/integration/customer-portal/delay'
const products = '/integration/upsells/products'

async function messageOf(path: string, init: Parameters<typeof send>[2] = {}): Promise<string> {
  return String((await send(integration, path, init)).json.error?.message)
}

describe('message for an unknown path', () => {
  it.each([
    ['/integration/upsells/products/', `Remove the trailing slash: ${products}`],
    ['/integration//upsells/products', `Use single slashes: ${products}`],
    ['/integration/Upsells/Products', `Use lowercase letters: ${products}`],
    ['/integration/%75psells/products', `Write the path without percent-encoding: ${products}`],
    ['/integration/upsells/product', `Did you mean ${products}?`],
    ['/integration/products', `Did you mean ${products}?`],
    ['/integration/send-now', 'Did you mean /integration/customer-portal/send-now?'],
  ])('suggests a correction for %s', async (path, hint) =>
    expect(await messageOf(path)).toBe(`No endpoint at this path. ${hint}`),
  )

  it.each([
    ['/upsells/products', `Start the path with the prefix: ${products}`],
    ['//integration/upsells/products', `Use single slashes: ${products}`],
    ['//integration//upsells/products/', `Remove the trailing slash: ${products}`],
    ['/Integration/upsells/products', `Use lowercase letters: ${products}`],
    ['/%69ntegration/upsells/products', `Write the path without percent-encoding: ${products}`],
  ])('corrects the prefix of %s only for a valid key', async (path, hint) => {
    expect(await messageOf(path)).toBe(`No endpoint at this path. ${hint}`)
    const closed = 'No endpoint at this path. Every path starts with /integration/'
    for (const key of ['', 'a-wrong-key-of-20-characters'])
      expect(await messageOf(path, { headers: { 'x-integration-api-key': key } })).toBe(closed)
  })

  it.each(['/', '/products', '/upsells/productz', '/shop/integration/upsells/products', `/${'a/'.repeat(5000)}`])(
    'says nothing about an endpoint for another path: %.40s',
    async (path) =>
      expect(await messageOf(path)).toBe('No endpoint at this path. Every path starts with /integration/'),
  )

  it.each(['/integration', '/integration/', '/integration/nothing', `/integration/${'a/'.repeat(5000)}`])(
    'contains no suggestion if no endpoint has a similar path: %.40s',
    async (path) => expect(await messageOf(path)).toBe('No endpoint at this path.'),
  )
})

it('lists the accepted methods if the method is not accepted', async () => {
  expect(await messageOf(delay, { method: 'PUT' })).toBe('This endpoint accepts only POST.')
  expect(await messageOf(products, { method: 'DELETE' })).toBe('This endpoint accepts only GET and HEAD.')
})

describe('message for a missing field', () => {
  const email = 'a@shop.example'
  it.each([
    [{ email, newDate: '2030-01-01' }, 'new_date: is required (received newDate)'],
    [{ email, 'New-Date': '2030-01-01' }, 'new_date: is required (received New-Date)'],
    [{ e_mail: email, new_date: '2030-01-01' }, 'email: is required (received e_mail)'],
    [{ email, date: '2030-01-01' }, 'new_date: is required'],
    [{ email }, 'new_date: is required'],
  ])('names a similar field in %j', async (body, message) => expect(await messageOf(delay, { body })).toBe(message))

  it('names a similar field in the query', async () => {
    expect(await messageOf('/integration/customer-portal/subscription?Email=a@shop.example&%ff=1')).toBe(
      'email: is required (received Email)',
    )
  })

  it('does not repeat a field name that is long or contains spaces or non-ASCII characters', async () => {
    for (const name of ['new date', 'new_date\u202e', 'ñew_date', `new_date${'-'.repeat(41)}`])
      expect(await messageOf(delay, { body: { email, [name]: '2030-01-01' } })).toBe('new_date: is required')
  })
})

describe('message for invalid JSON', () => {
  it.each([
    ['', 'the body is empty'],
    ['{"email":', 'unexpected end'],
    ['{"email":"a@b.example",}', 'line 1, column 24'],
    ['{\n  "email": "a@b.example"\n  "new_date": "2030-01-01"\n}', 'line 3, column 3'],
    ["{'email': 1}", 'line 1, column 2'],
  ])('names the position of the error in %j', async (body, where) =>
    expect(await messageOf(delay, { body })).toBe(`body: must be valid JSON (${where})`),
  )

  it.each<[string, number]>([
    ['{"a":a}', 5],
    ['{"a" 1}', 5],
    ['{"a":1} x', 8],
    ['{"a":"x\ny"}', 5],
    ['{"a":01}', 5],
    ['{"a":1]', 6],
    [String.raw`["\x"]`, 1],
    ['[1,]', 3],
    [String.raw`["\u00e9\"", -1.5e3, true}`, 25],
    [',', 0],
  ])('finds the mistake in %s at index %i', (json, at) => expect(findJsonMistake(json)).toBe(at))

  it('finds the mistake in long invalid JSON in linear time', () => {
    for (const json of [`"${'a'.repeat(5_000_000)}`, '['.repeat(1_000_000), `[${'1,'.repeat(1_000_000)}`])
      expect(findJsonMistake(json)).toBeLessThanOrEqual(json.length)
  })
})

it.each([
  ['yes', 'X-Integration-Test-Mode: must be true or false'],
  ['true', 'This shop has no test store. Omit X-Integration-Test-Mode and test=true.'],
])('names the test-mode header if it is %s and the shop has no test store', async (testMode, message) => {
  expect(await messageOf(products, { headers: { 'x-integration-test-mode': testMode } })).toBe(message)
})

it('does not repeat the method or the test-mode header of a request', async () => {
  const value = 'QZ7WVX'
  const headers = { 'x-integration-test-mode': value }
  for (const init of [{ method: value }, { headers, body: { email: value } }])
    expect(await messageOf(delay, init)).not.toContain(value)
})
