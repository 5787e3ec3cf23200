import { addDays, CurrentSubscription } from '@storeport/core'
import { seed } from '@storeport/rules'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { runChecks, type RunOptions, seedProfile, sendTo } from '../../src/index.ts'
import { apiKey, createShop, readSubscription, resultOf, runOn, shopWith } from '../shop.ts'

const across = ['swapProduct.rejects-unknown-items', 'undoAddProduct.follows-its-add']
const only = ['delaySubscription', 'getSubscription', ...across]

/** Runs the checks that delay subscriptions. Returns the report, and the first and last billing date of customers. */
async function delaysOf(options: Partial<RunOptions>) {
  const store = createMemoryStore({ today: '2026-03-10' })
  const was = new Map<string, string>()
  const became = new Map<string, string>()
  const shop = createShop({ store })
  const send = sendTo(async (request) => {
    const { email, new_date } = fieldsOf(await request.clone().text())
    const response = await shop(request)
    if (typeof email !== 'string' || typeof new_date !== 'string' || response.status !== 200) return response
    const name = email.trim().toLowerCase()
    if (new_date > (became.get(name) ?? '')) became.set(name, new_date)
    return response
  })
  for (const email of Object.values(seedProfile.customers).flat()) {
    const parsed = z.safeParse(CurrentSubscription, JSON.parse(await readSubscription(send, email)).data)
    if (parsed.success && email !== undefined) was.set(email, parsed.data.next_billing_date)
  }
  const profile = { ...seedProfile, today: '2026-03-10' }
  const { results, changed } = await runOn({ send, profile, mode: 'stress', only, ...options })
  expect(results.flatMap(({ failure }) => failure?.message ?? [])).toEqual([])
  return { was, became, results, changed }
}

/** Returns the email address and the date in a request body; an empty object if the body is not JSON or `null`. */
function fieldsOf(text: string): { email?: string; new_date?: string } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

describe('a run that does not reset the test data', () => {
  it('limits the delays of subscriptions and reports the remaining changes', async () => {
    const { was, became, results, changed } = await delaysOf({})
    expect(became.size).toBeGreaterThan(1)
    const { otherCustomer = '' } = seedProfile.customers
    expect(became.get(otherCustomer) ?? '').toMatch(/^2026-/)
    expect((became.get(otherCustomer) ?? '') <= addDays(was.get(otherCustomer) ?? '', 30)).toBe(true)
    // Allows 61 days: the limit is 30 days, and a customer's two billing dates in the seed data are at most 31 days
    // apart.
    for (const [email, date] of became) expect(date <= addDays(was.get(email) ?? '2026-03-11', 61), email).toBe(true)
    expect(changed.join('\n')).toContain(`${otherCustomer}: the current subscription changed from `)
    const far = results.find(({ check }) => check.id === 'delaySubscription.accepts-a-distant-date')
    expect(far?.reason).toContain('by more than 30 days')
  })

  it('delays subscriptions far into the future if the shop is disposable', async () => {
    const { became, changed } = await delaysOf({ disposable: true })
    expect([...became.values()].some((date) => date > '2100')).toBe(true)
    expect(changed).toEqual([])
  })
})

describe('a run against a shop that limits requests', () => {
  const tooMany = () => new Response('{}', { status: 429, headers: { 'Retry-After': '30' } })
  const send = shopWith(/get-discount\?discount_code/, tooMany)

  it('skips a rate-limited check instead of pausing if the shop runs on this machine', async () => {
    const result = await resultOf('getDiscount.returns-a-percentage', { send })
    expect(result).toMatchObject({
      outcome: 'skipped',
      reason: "the shop's rate limit requires a pause of 30 s",
      cause: { kind: 'pause', seconds: 30 },
    })
  })

  it.each([
    ['127.0.0.1:3000', false],
    ['localhost', false],
    ['[::1]:3000', false],
    ['shop.example', true],
    ['127.0.0.1.shop.example', true],
  ])('reports in the start event whether the run pauses for the host %s: %s', async (host, waits) => {
    for await (const event of runChecks({ send: Object.assign(send, { host }), apiKey, only: ['AUTH-1'] })) {
      if (event.type !== 'start') continue
      expect(event.waits).toBe(waits)
      break
    }
    expect.assertions(1)
  })
})

it('adds no more units of a product than the profile allows', async () => {
  const data = seed('2026-03-10')
  const stocked = {
    ...data,
    products: data.products.map((one) => (one.available === false ? one : { ...one, available: 9 })),
  }
  const shop = createShop({ store: createMemoryStore({ data: stocked, today: '2026-03-10' }) })
  const listed = seedProfile.products.listed.map((product) => ({ ...product, available: 4 }))
  const profile = { ...seedProfile, today: '2026-03-10', products: { ...seedProfile.products, listed } }
  const limitedChecks = ['addProduct', 'undoAddProduct', 'swapProduct', 'retries', 'stress', 'listProducts']
  const { results } = await runOn({ send: sendTo(shop), profile, mode: 'stress', only: limitedChecks })
  expect(results.flatMap(({ check, failure }) => (failure ? `${check.id}: ${failure.message}` : []))).toEqual([])
  const limited = results.filter(({ reason }) => reason?.startsWith('the profile allows only 4 units of'))
  expect(limited.map(({ check }) => check.id)).toContain('stress.loses-no-change')
  expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(30)
})
