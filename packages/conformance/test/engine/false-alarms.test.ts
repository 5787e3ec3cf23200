import { createServer } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { addDays, createIntegration } from '@storeport/core'
import { toNodeListener } from '@storeport/node'
import { seed } from '@storeport/rules'
import { createMemoryStore } from '@storeport/store-memory'
import { listenOn } from '@storeport/testing/listen'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseProfile, requirements, seedProfile, type Send, sendByHttp, sendTo } from '../../src/index.ts'
import { similarEmails } from '../../src/shop/variants.ts'
import { apiKey, createShop, failuresOf, readSubscription, resultOf, runOn, shopThat } from '../shop.ts'

const today = '2026-03-10'
const { otherCustomer = '' } = seedProfile.customers

it('fails the key check immediately if the shop rate-limits invalid keys', async () => {
  const send = shopThat((response) =>
    response.status === 401 ? new Response('{}', { status: 429, headers: { 'Retry-After': '30' } }) : response,
  )
  const { outcome, failure } = await resultOf('authentication.rejects-every-other-key', { send })
  expect(outcome).toBe('failed')
  expect(failure).toMatchObject({ requirement: 'AUTH-3', expected: 'status 401' })
})

describe('the changes of a failed check', () => {
  it.each([
    ['addProduct.adds-a-new-product', 'add-product'],
    ['swapProduct.replaces-an-item', 'swap-product'],
  ])('are taken back after the check: %s', async (id, path) => {
    const shop = createShop()
    let isChanged = false
    const send = sendTo(async (request) => {
      const response = await shop(request)
      if (request.url.includes(path) && response.status === 200) isChanged = true
      if (!isChanged || !request.url.includes('subscription?')) return response
      isChanged = false
      return new Response((await response.text()).replaceAll('"quantity":2', '"quantity":7'), response)
    })
    const before = await readSubscription(send)
    const { outcome } = await resultOf(id, { send })
    expect(outcome).toBe('failed')
    expect(await readSubscription(send)).toBe(before)
  })

  it('are taken back after a check that uses raw connections', async () => {
    const listener = toNodeListener(createIntegration({ store: createMemoryStore(), apiKeys: [apiKey] }))
    const server = createServer({ insecureHTTPParser: true }, listener)
    onTestFinished(() => void server.close())
    const send = sendByHttp(await listenOn(server))
    const before = await readSubscription(send)
    const { failure } = await resultOf('http.rejects-conflicting-lengths', { send })
    expect(failure?.received).toBe('200 {"success":true}')
    expect(await readSubscription(send)).toBe(before)
  })

  it('are attributed to this check in later skip reasons if they cannot be taken back', async () => {
    const shop = createShop()
    const send = sendTo((request) =>
      request.url.includes('undo') ? Response.json({ success: false }, { status: 500 }) : shop(request),
    )
    const only = ['addProduct.adds-a-new-product', 'addProduct.subtracts-a-fixed-amount-once']
    const { results } = await runOn({ send, only })
    expect(results.map(({ reason }) => reason)).toContain(
      'every listed product is already an item of the current subscription (changes left by addProduct.adds-a-new-product)',
    )
  })
})

describe('a request that the shop accepts instead of rejecting', () => {
  it('fails HTTP-10, not HTTP-9, if the parser accepts a malformed header', async () => {
    const send = await lenientServer()
    const { failure } = await resultOf('http.rejections-have-the-standard-headers', { send, offered: ['addProduct'] })
    expect(failure).toMatchObject({ requirement: 'HTTP-10', received: expect.stringMatching(/^405 /) })
  })

  it.each([
    ['ignores an empty `Idempotency-Key`', '""', ''],
    ['rejects a quoted `Idempotency-Key`', '"quoted"', 'two words'],
  ])('fails RETRY-8, not ERROR-2, if the shop %s', async (_what, key, handled) => {
    const shop = createShop()
    const send = sendTo((request) => {
      const headers = new Headers(request.headers)
      if (headers.get('Idempotency-Key') === key) headers.set('Idempotency-Key', handled)
      if (headers.get('Idempotency-Key') === '') headers.delete('Idempotency-Key')
      return shop(new Request(request, { headers }))
    })
    const { failure } = await resultOf('retries.reject-an-invalid-key', { send })
    expect(failure?.requirement).toBe('RETRY-8')
  })
})

/** Starts a server that sends the same response to every request, without checking its headers. */
async function lenientServer(): Promise<Send> {
  const body = '{"success":false,"error":{"code":"method_not_allowed","message":"Use POST."}}'
  const server = createNetServer((socket) =>
    socket.once('data', () => socket.end(`HTTP/1.1 405 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`)),
  )
  onTestFinished(() => void server.close())
  return sendByHttp(await listenOn(server))
}

it(
  'reports no failed requirement and no risk if a customer has two active subscriptions',
  { timeout: 120_000 },
  async () => {
    const data = seed(today)
    const customers = data.customers.map((customer) => {
      if (customer.email !== otherCustomer) return customer
      const { subscriptions = [] } = customer
      const [first] = subscriptions
      const second = {
        id: 'sub_second',
        next_billing_date: addDays(first?.next_billing_date ?? today, 1),
        items: [{ id: 'item_second', product_id: 'test_12345', quantity: 1 }],
      }
      return { ...customer, subscriptions: [...subscriptions, second] }
    })
    const profile = { ...seedProfile, today }
    const only = ['getSubscription', 'delaySubscription', 'sendNow', 'addProduct', 'swapProduct', 'emails', 'testMode']
    for (const disposable of [false, true]) {
      const send = sendTo(createShop({ store: createMemoryStore({ data: { ...data, customers }, today }) }))
      const { results } = await runOn({ send, profile, disposable, only })
      const failed = results.flatMap(({ failure }) => failure ?? [])
      expect(failed.filter(({ requirement }) => requirements[requirement]?.level !== 'should').map(String)).toEqual([])
    }
  },
)

it('uses only email addresses from the profile or from reserved domains', { timeout: 120_000 }, async () => {
  const domain = 'coffee-shop.com'
  const rename = (text: string) => text.replaceAll('@example.com', `@${domain}`)
  const own = (email: string | undefined) => email !== undefined && email !== seedProfile.customers.unknown
  const known = Object.values(seedProfile.customers)
    .flat()
    .filter(own)
    .map((email = '') => rename(email))
  const shop = createShop()
  const sent = new Set<string>()
  const only = ['customers', 'emails', 'queries', 'errors', 'getSubscription', 'listProducts']
  const send = sendTo(async (request) => {
    // Reads only the start of a long body, since the rest is padding.
    const body = (await request.clone().text()).slice(0, 2000)
    for (const text of [decodeURIComponent(new URL(request.url).search.replaceAll(/%(?![0-9a-f]{2})/gi, '')), body])
      for (const [address] of text.matchAll(/[^\s@"'&=<,:]+@[\w.-]+/g)) sent.add(address.toLowerCase())
    return shop(request)
  })
  const renamed = Object.fromEntries(
    Object.entries(seedProfile.customers).map(([name, email]) => [
      name,
      own(String(email)) ? rename(String(email)) : email,
    ]),
  )
  await failuresOf({ send, profile: parseProfile({ customers: renamed, products: seedProfile.products }), only })
  const isReserved = (address: string) =>
    /(?:@|\.)(?:example(?:\.com|\.org|\.net)?|test|invalid|localhost)$/.test(address)
  const others = [...sent].filter((address) => !known.includes(address) && address.endsWith(`@${domain}`))
  expect(others).toEqual([])
  expect(sent.size).toBeGreaterThan(20)
  expect([...sent].some(isReserved)).toBe(true)
})

it('sends no shorter name of a customer, because it can be the name of another customer', () => {
  const emails = similarEmails('ann12@example.com', 'nobody@example.com')
  const names = emails.flatMap((email) => /^(\w+)@example\.com$/.exec(email)?.[1] ?? [])
  expect(names.filter((name) => 'ann12'.includes(name))).toEqual([])
})

describe('the date of the shop', () => {
  const only = ['reactivateSubscription', 'delaySubscription', 'sendNow']
  const shopOn = (date: string) => sendTo(createShop({ store: createMemoryStore({ today: () => date }) }))

  it.each([
    ['2027-06-15', '2027-06-16'],
    ['2027-01-30', '2027-01-31'],
    ['2027-11-30', '2027-12-01'],
    ['2027-12-01', '2027-11-30'],
  ])('may differ from the UTC date by one day if the profile has no time zone: %s, %s', async (day, date) => {
    const profile = parseProfile({ ...seedProfile, timeZone: undefined })
    const now = () => new Date(`${day}T12:00:00Z`)
    const random = { explore: { seed: 1, timeMs: 500 }, disposable: true }
    expect(await failuresOf({ send: shopOn(date), profile, only: [...only, 'explore'], now, ...random })).toEqual([])
  })

  it('must be the date in the time zone of the profile', async () => {
    const send = shopOn(addDays(new Date().toISOString().slice(0, 10), 1))
    expect((await failuresOf({ send, only })).join('\n')).toContain('REACTIVATE-2: expected next_billing_date')
  })
})

it('reports only SUBSCRIPTION-4 as failed if a subscription has a duplicate item id', async () => {
  const send = shopThat(async (response, request) => {
    if (!request.url.includes('portal/subscription?')) return response
    return new Response((await response.text()).replace('"id":"test_67890"', '"id":"test_12345"'), response)
  })
  const { results } = await runOn({ send, only: ['swapProduct', 'getSubscription'] })
  const found = new Set(results.flatMap(({ failure }) => failure?.requirement ?? []))
  expect([...found]).toEqual(['SUBSCRIPTION-4'])
})

it('summarizes all accepted changes for unknown customers in one sentence', async () => {
  const shop = createShop()
  const send = sendTo(async (request) => {
    const isAccepted = request.url.includes('send-now') && request.headers.has('X-Integration-API-Key')
    return isAccepted && request.method === 'POST' ? Response.json({ success: true }) : shop(request)
  })
  const { changed } = await runOn({ send, only: ['sendNow', 'emails'] })
  expect(changed.filter((change) => change.includes('sendNow'))).toEqual([
    expect.stringMatching(/^sendNow accepted \d+ requests for unknown customers\.$/),
  ])
})
