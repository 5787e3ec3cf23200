import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreError } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { describe, expect, it } from 'vitest'
import { readProfile, seedProfile } from '../../src/index.ts'
import { apiKey, command, startShop } from './command.ts'

const { subscribed = '', cancelled = '', otherCustomer = '' } = seedProfile.customers
const customers = ['--customer', subscribed, '--cancelled', cancelled, '--other-customer', otherCustomer]

describe('a detected profile', () => {
  it('contains data for three customers, two discount codes and an action', { timeout: 180_000 }, async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'learned.jsonc')
    const url = await startShop()
    const codeAndAction = ['--code', 'TEST10,FIVEOFF', '--action', 'join_waitlist_product_123']
    const { code, out, err } = await command([url, ...customers, ...codeAndAction, '--save', file, '--read-only'])
    expect(out).not.toMatch(/^ +[✗!] \w+\./m)
    expect(out).toMatch(/\n {2}READ-ONLY: NO FAILURES {2}http/)
    expect(out).toContain('test data: read from the shop')
    expect(code).toBe(0)
    expect(err).toContain(`--profile ${file}`)
    expect(await readProfile(file)).toMatchObject({
      customers: { subscribed, cancelled, otherCustomer },
      products: { listed: seedProfile.products.listed },
      subscriptions: { cancelled: seedProfile.subscriptions.cancelled },
      discounts: { percentage: seedProfile.discounts.percentage, fixed: seedProfile.discounts.fixed },
      actions: { known: 'join_waitlist_product_123' },
    })
    expect(await readFile(file, 'utf8')).toContain('// A customer whose subscriptions are all cancelled')
    const next = await command([url, '--profile', file, '--only', 'getDiscount'])
    expect(next).toMatchObject({ code: 0, out: expect.stringContaining(`test data: ${file}`) })
    const again = await command([url, '--save', file, '--only', 'AUTH-2'])
    expect(again.code).toBe(2)
    expect(again.err).toContain('already exists')
  })

  it('contains the seed data if only --time-zone and --interval are set', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'conformance-')), 'seed.jsonc')
    const options = ['--time-zone', 'UTC', '--interval', '1month', '--save', file, '--only', 'AUTH-2']
    const { out } = await command([await startShop(), ...options])
    expect(out).toContain("the reference host's seed data")
    expect(await readProfile(file)).toEqual({ ...seedProfile, timeZone: 'UTC', interval: { months: 1 } })
  })

  it.each([
    ['--customer', 'who@example.com', 'customer_not_found'],
    ['--cancelled', 'who@example.com', 'customer_not_found'],
    ['--code', 'NOTHING', 'discount_not_found'],
  ])('is not created if the shop rejects the value of %s %s', async (option, value, answered) => {
    const { code, err } = await command([await startShop(), option, value])
    expect(err).toContain(`${option} ${value}: not found. The shop returned 404 `)
    expect(err).toContain(answered)
    expect(code).toBe(2)
  })

  it('is rejected without a part of the key, even if the response is truncated inside the key', async () => {
    const before = '{"success":false,"error":{"code":"customer_not_found","message":"'.length
    const message = 'x'.repeat(395 - before) + apiKey
    const rejecting = {
      ...createMemoryStore(),
      getSubscription: async () => Promise.reject(new StoreError('customer_not_found', message)),
    }
    const { err } = await command([await startShop(rejecting), '--customer', 'who@example.com'])
    expect(err).toContain('x<key>')
    expect(err).not.toContain(apiKey.slice(0, 5))
  })
})
