import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpointNames } from '@storeport/core'
import { integrationOf, send } from './support.ts'
import { findJsonMistake } from '../src/http/read-request.ts'

const store = Object.fromEntries(endpointNames.map((name) => [name, async () => null]))
const integration = integrationOf(store, { onError: () => {} })
const delay = '/integration/customer-portal/delay'

async function messageOf(path: string, init: Parameters<typeof send>[2] = {}): Promise<string> {
  return String((await send(integration, path, init)).json.error?.message)
}

describe('a path that is nearly one says which', () => {
  it.each([
    ['/integration/upsells/products/', 'Remove the trailing slash: /integration/upsells/products'],
    ['/integration//upsells/products', 'Use single slashes: /integration/upsells/products'],
    ['/integration/Upsells/Products', 'Use lowercase letters: /integration/upsells/products'],
    ['/integration/%75psells/products', 'Write the path without percent-encoding: /integration/upsells/products'],
    ['/integration/upsells/product', 'Did you mean /integration/upsells/products?'],
    ['/integration/products', 'Did you mean /integration/upsells/products?'],
    ['/integration/send-now', 'Did you mean /integration/customer-portal/send-now?'],
  ])('%s', async (path, told) => expect(await messageOf(path)).toBe(`No endpoint at this path. ${told}`))

  it.each(['/integration', '/integration/', '/integration/nothing', `/integration/${'a/'.repeat(5000)}`])(
    'and one that is far from all is only refused: %.40s',
    async (path) => expect(await messageOf(path)).toBe('No endpoint at this path.'),
  )
})

it('a wrong method is told the right one', async () => {
  expect(await messageOf(delay, { method: 'PUT' })).toBe('This endpoint accepts only POST.')
  const reading = '/integration/upsells/products'
  expect(await messageOf(reading, { method: 'DELETE' })).toBe('This endpoint accepts only GET and HEAD.')
})

describe('a field that is missing names the one that was sent in its place', () => {
  const email = 'a@shop.example'
  it.each([
    [{ email, newDate: '2030-01-01' }, 'new_date: is required (received newDate)'],
    [{ email, 'New-Date': '2030-01-01' }, 'new_date: is required (received New-Date)'],
    [{ e_mail: email, new_date: '2030-01-01' }, 'email: is required (received e_mail)'],
    [{ email, date: '2030-01-01' }, 'new_date: is required'],
    [{ email }, 'new_date: is required'],
  ])('%j', async (body, told) => expect(await messageOf(delay, { body })).toBe(told))

  it('in a query, too', async () => {
    expect(await messageOf('/integration/customer-portal/subscription?Email=a@shop.example&%ff=1')).toBe(
      'email: is required (received Email)',
    )
  })

  it('and one that is longer than a name, or has signs of its own, is not repeated', async () => {
    for (const name of ['new date', 'new_date\u202e', 'ñew_date'])
      expect(await messageOf(delay, { body: { email, [name]: '2030-01-01' } })).toBe('new_date: is required')
  })
})

describe('JSON that breaks off says where', () => {
  it.each([
    ['', 'the body is empty'],
    ['{"email":', 'unexpected end'],
    ['{"email":"a@b.example",}', 'line 1, column 24'],
    ['{\n  "email": "a@b.example"\n  "new_date": "2030-01-01"\n}', 'line 3, column 3'],
    ["{'email': 1}", 'line 1, column 2'],
  ])('%j', async (body, where) => expect(await messageOf(delay, { body })).toBe(`body: must be valid JSON (${where})`))

  it.each([
    ['{"a":a}', 5],
    ['{"a" 1}', 5],
    ['{"a":1} x', 8],
    ['{"a":"x\ny"}', 5],
    ['{"a":01}', 5],
    ['[1 2]', 3],
    ['{"a":tru}', 5],
    ['{"a":1]', 6],
    [String.raw`["\x"]`, 1],
    ['1 2', 2],
    ['[1,]', 3],
    [',', 0],
  ])('%s at %i', (json, at) => expect(findJsonMistake(json)).toBe(at))

  it('and what stands before it can become JSON', () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ']', '"', '\\', 'e', '\u0000'))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1))
    fc.assert(
      fc.property(damaged, (json) => {
        if (isJson(json)) return
        const at = findJsonMistake(json)
        expect(at).toBeGreaterThanOrEqual(0)
        expect(at).toBeLessThanOrEqual(json.length)
        // The part up to there breaks nowhere else than at its end.
        expect(findJsonMistake(json.slice(0, at)), json).toBe(at)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes no longer for a text that is long and wrong', () => {
    for (const json of [`"${'a'.repeat(5_000_000)}`, '['.repeat(1_000_000), `[${'1,'.repeat(1_000_000)}`])
      expect(findJsonMistake(json)).toBeLessThanOrEqual(json.length)
  })
})

it('test mode names its header', async () => {
  const ask = (word: string) => {
    const headers = { 'x-integration-test-mode': word }
    return messageOf('/integration/upsells/products', { headers })
  }
  expect(await ask('yes')).toBe('X-Integration-Test-Mode: must be true or false')
  expect(await ask('true')).toBe('This shop has no test store. Omit X-Integration-Test-Mode and test=true.')
})

/** What only this call holds: found in an answer, it was repeated. */
const secret = fc.stringMatching(/^q[a-z0-9]{11}z$/)

describe('nothing that a caller sent is repeated', () => {
  it('of names that are longer than 40 characters, or no plain words', async () => {
    const longOrOdd = fc
      .tuple(secret, fc.constantFrom('email', 'new_date'), fc.constantFrom('é', '%', '@', '-'.repeat(41)))
      .map(([told, field, odd]) => ({ told, body: { [`${field}${odd}`]: told, [`${told}${odd}`]: 1 }, odd }))
    await fc.assert(
      fc.asyncProperty(longOrOdd, async ({ told, body, odd }) => {
        const message = await messageOf(delay, { body })
        expect(message).not.toContain(told)
        expect(message).not.toContain(odd)
      }),
      { numRuns: 300 },
    )
  })

  // Of fields, bodies and queries the kit checks it at every endpoint.
  it('of paths, methods and headers', async () => {
    await fc.assert(
      fc.asyncProperty(secret, async (told) => {
        const answers = await Promise.all([
          send(integration, `/integration/discounts/get-discount?code=${told}&discount_code=${told}2`),
          send(integration, `/integration/upsells/${told}`),
          send(integration, `/integration/${told}/products`),
          send(integration, delay, { method: told.toUpperCase() }),
          send(integration, delay, { headers: { 'x-integration-test-mode': told }, body: { email: told } }),
          send(integration, delay, { headers: { 'content-type': told }, body: told }),
          send(integration, delay, { headers: { 'x-integration-api-key': told } }),
        ])
        for (const { text } of answers) expect(text).not.toContain(told)
      }),
      { numRuns: 200 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
