import { writeResponse } from '@storeport/testing/stripe/compile-schemas'
import type { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { after, connect, openAccount, seconds, start } from './open-account.ts'

// Quirk numbers refer to packages/store-stripe/QUIRKS.md. testing/src/stripe cites Stripe's page for each rule.

/** Sends parameters that the types of the official client do not allow. */
const raw = (stripe: Stripe, path: string, params: Record<string, unknown>) => stripe.rawRequest('POST', path, params)

describe('parameters', () => {
  test('require the API version of the stand-in', async () => {
    const { stripe } = await openAccount()
    const old = stripe.customers.list({}, { apiVersion: '2024-06-20' })
    await expect(old).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('version') })
  })

  test.each([
    [{ emial: 'x' }, { code: 'parameter_unknown', param: 'emial' }],
    [{ items: [{ quantities: 1 }] }, { code: 'parameter_unknown', param: 'items[0][quantities]' }],
    [{ proration_behavior: 'nothing' }, { param: 'proration_behavior' }],
    [{ items: [{ quantity: '1.5' }] }, { code: 'parameter_invalid_integer' }],
  ])('rejects %j and names the parameter', async (params, error) => {
    const { stripe } = await openAccount()
    await expect(raw(stripe, '/v1/subscriptions/sub_1', params)).rejects.toMatchObject({ statusCode: 400, ...error })
  })

  test('returns 501 for a parameter that Stripe supports but the stand-in does not', async () => {
    const { stripe, customer } = await openAccount()
    const ignored = stripe.customers.update(customer, { preferred_locales: ['de'] })
    await expect(ignored).rejects.toMatchObject({
      statusCode: 501,
      message: expect.stringContaining('preferred_locales'),
    })
  })

  test('merges metadata, and removes keys with an empty value (quirk 15)', async () => {
    const { stripe, customer } = await openAccount()
    await stripe.customers.update(customer, { metadata: { a: '1', b: 2 } })
    const changed = await stripe.customers.update(customer, { metadata: { a: '', c: '3' } })
    expect(changed.metadata).toEqual({ b: '2', c: '3' })
    const cleared = await stripe.customers.update(customer, { metadata: '' })
    expect(cleared.metadata).toEqual({})
    await expect(stripe.customers.update(customer, { metadata: { long: 'x'.repeat(501) } })).rejects.toThrow('500')
  })
})

describe('lists', () => {
  test('match an email case-sensitively (quirk 1)', async () => {
    const { stripe } = await openAccount()
    await stripe.customers.create({ email: 'Jane@Example.com' })
    const found = async (email: string) => (await stripe.customers.list({ email })).data.map((each) => each.email)
    expect(await found('Jane@Example.com')).toEqual(['Jane@Example.com'])
    expect(await found('jane@example.com')).toEqual(['jane@example.com'])
    expect(await found('JANE@EXAMPLE.COM')).toEqual([])
  })

  test('return the newest resources first, ten per page, and continue after a given id (quirk 19)', async () => {
    const { stripe } = await openAccount()
    for (let count = 0; count < 12; count += 1) await stripe.products.create({ id: `p${count}`, name: 'P' })
    const first = await stripe.products.list()
    expect(first.has_more).toBe(true)
    expect(first.data.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, index) => `p${11 - index}`))
    const rest = await stripe.products.list({ starting_after: 'p2' })
    expect(rest).toMatchObject({ has_more: false, data: [{ id: 'p1' }, { id: 'p0' }, { id: 'tea' }, { id: 'coffee' }] })
    await expect(stripe.products.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
  })
})

describe('expand', () => {
  test('rejects a field that is not a resource, and more than four levels (quirk 20)', async () => {
    const { stripe } = await openAccount()
    for (const path of ['data.email', 'data.metadata'])
      await expect(stripe.customers.list({ expand: [path] })).rejects.toThrow(`cannot be expanded (${path})`)
    await expect(stripe.customers.list({ expand: ['data.sources'] })).rejects.toMatchObject({ statusCode: 501 })
    const deep = stripe.subscriptions.list({ expand: ['data.items.data.price.product'] })
    await expect(deep).rejects.toThrow('4 levels')
  })

  test("adds a customer's first ten subscriptions that are not cancelled (quirk 31)", async () => {
    const { stripe, customer, monthly } = await openAccount()
    const subscribe = () => stripe.subscriptions.create({ customer, items: [{ price: monthly }] })
    await stripe.subscriptions.cancel((await subscribe()).id)
    const read = async () => (await stripe.customers.list({ expand: ['data.subscriptions'] })).data[0]?.subscriptions
    expect(await read()).toMatchObject({ data: [], has_more: false })
    for (let count = 1; count <= 11; count += 1) await subscribe()
    const { data = [], has_more } = (await read()) ?? {}
    expect([data.length, has_more]).toEqual([10, true])
  })
})

test('a test clock bills its customers when it advances, hides them from lists, and deletes them (quirk 32)', async () => {
  const { stripe, monthly } = await openAccount()
  const { testClocks } = stripe.testHelpers
  const clock = await testClocks.create({ frozen_time: seconds(start) })
  const card = 'pm_card_visa'
  const { id: customer } = await stripe.customers.create({
    ...{ email: 'clock@example.com', payment_method: card, test_clock: clock.id },
    invoice_settings: { default_payment_method: card },
  })
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price: monthly }] })
  const { status } = await testClocks.advance(clock.id, { frozen_time: seconds(after(40)) })
  expect(status).toBe('ready')
  expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
  const count = async (more: object) =>
    (await stripe.customers.list({ email: 'clock@example.com', ...more })).data.length
  expect([await count({}), await count({ test_clock: clock.id })]).toEqual([0, 1])
  await expect(testClocks.advance(clock.id, { frozen_time: seconds(start) })).rejects.toMatchObject({ statusCode: 400 })
  await testClocks.del(clock.id)
  expect(await count({ test_clock: clock.id })).toBe(0)
  await expect(stripe.subscriptions.retrieve(id)).rejects.toMatchObject({ statusCode: 404 })
})

describe('an idempotency key', () => {
  const key = { idempotencyKey: 'click-1' }

  /** Opens an account, with a function that creates a customer under the key. */
  async function openKeyed() {
    const account = await openAccount()
    const create = (email = 'a@example.com', stripe = account.stripe) => stripe.customers.create({ email }, key)
    return { ...account, create }
  }

  test('does not store the failure of a request that did not run (quirk 16)', async () => {
    const { standIn, stripe, create } = await openKeyed()
    const mistaken = stripe.rawRequest('POST', '/v1/customers', { emial: 'x' }, key)
    await expect(mistaken).rejects.toMatchObject({ code: 'parameter_unknown' })
    standIn.fail({ kind: 'rate_limited' })
    await expect(create()).rejects.toMatchObject({ statusCode: 429 })
    expect(await create()).toMatchObject({ email: 'a@example.com' })
  })

  test('stores the failure of a request that ran, and status 500 (quirk 16)', async () => {
    const { standIn, stripe, customer, create } = await openKeyed()
    const price_data = { product: 'tea', currency: 'eur', unit_amount: 1 }
    const add = () =>
      stripe.invoiceItems.create({ customer, subscription: 'sub_99', price_data }, { idempotencyKey: 'click-2' })
    await expect(add()).rejects.toMatchObject({ code: 'resource_missing' })
    await expect(add()).rejects.toMatchObject({ headers: { 'idempotent-replayed': 'true' } })
    standIn.fail({ kind: 'server_error' })
    for (let turn = 0; turn < 2; turn += 1) await expect(create()).rejects.toMatchObject({ statusCode: 500 })
    expect((await stripe.customers.list({ email: 'a@example.com' })).data).toEqual([])
  })

  test('returns 409 while the first request with this key is in progress (quirk 17)', async () => {
    const { standIn, stripe, create } = await openKeyed()
    standIn.fail({ kind: 'hang' })
    const ended = expect(create(undefined, connect(standIn, undefined, { timeout: 3000 }))).rejects.toThrow('timeout')
    await expect.poll(() => standIn.requests.some(({ idempotencyKey }) => idempotencyKey === 'click-1')).toBe(true)
    await expect(create()).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    await ended
    // The client has closed the connection, so the stand-in releases the key. The first request had no effect.
    await expect.poll(() => create().catch(() => undefined)).toBeDefined()
    expect((await stripe.customers.list({ email: 'a@example.com' })).data).toHaveLength(1)
  })

  test('preserves the stored response if a later request with this key fails or hangs', async () => {
    const { standIn, create } = await openKeyed()
    const first = await create()
    standIn.fail({ kind: 'server_error' })
    await expect(create()).rejects.toMatchObject({ statusCode: 500 })
    standIn.fail({ kind: 'hang' })
    await expect(create(undefined, connect(standIn, undefined, { timeout: 100 }))).rejects.toThrow('timeout')
    expect((await create()).id).toBe(first.id)
  })

  test('is ignored for a DELETE request (quirk 18)', async () => {
    const { stripe, customer, monthly } = await openAccount()
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: monthly }] })
    await stripe.subscriptions.cancel(id, {}, key)
    await expect(stripe.subscriptions.cancel(id, {}, key)).rejects.toMatchObject({ statusCode: 404 })
  })
})

test('throws for a response that does not match its Stripe type', () => {
  expect(() => writeResponse('POST /v1/customers', { id: 'cus_1', object: 'customer' })).toThrow('invalid response')
})

test('does not move the clock backward', async () => {
  const { standIn, stripe } = await openAccount()
  await standIn.advanceTo(after(2))
  expect((await stripe.customers.create({})).created).toBe(seconds(after(2)))
  await expect(standIn.advanceTo(after(1))).rejects.toThrow(RangeError)
})
