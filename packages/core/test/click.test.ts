import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { canonicalClick, type ClickRequest, identifyClick } from '../src/retries/click.ts'

const day = 24 * 60 * 60_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const request: ClickRequest = {
  endpoint: 'addProduct',
  input: { email: 'a@b.example', product_id: 'beans', quantity: 1, one_time: false },
  scope: 'my-shop',
  testMode: false,
  key: undefined,
  windowMs: 10_000,
}
const shared = (changes: Partial<ClickRequest> = {}) => identifyClick({ ...request, ...changes }, false)

describe('click identity (decision 1)', () => {
  it('is different for each shop, mode and customer', async () => {
    const others: Partial<ClickRequest>[] = [
      {},
      { scope: 'other-shop' },
      { testMode: true },
      { input: { ...request.input, email: 'c@d.example' } },
    ]
    const clicks = await Promise.all(others.map((changes) => shared(changes)))
    expect(new Set(clicks.map(({ customer }) => customer)).size).toBe(4)
    const names = await Promise.all(others.slice(0, 3).map((changes) => shared({ ...changes, key: 'click-1' })))
    expect(new Set(names.map(({ name }) => name)).size).toBe(3)
    expect(new Set(names.map(({ derivedKey }) => derivedKey)).size).toBe(3)
  })

  it('uses one document per idempotency key and endpoint, regardless of the request body', async () => {
    const { name, fingerprint } = await shared({ key: 'click-1' })
    const other = await shared({ key: 'click-1', input: { ...request.input, quantity: 2 } })
    expect([other.name, other.fingerprint === fingerprint]).toEqual([name, false])
    expect((await shared({ key: 'click-1', endpoint: 'undoAddProduct' })).name).not.toBe(name)
  })
})

describe('fingerprint of the known fields with non-default values (decision 2)', () => {
  // If these values change, no ledger finds the clicks that it has stored.
  it.each([
    [
      'addProduct',
      { product_id: 'p1', quantity: 1, one_time: false },
      '["addProduct","email","a@b.example","product_id","p1"]',
    ],
    [
      'addProduct',
      { product_id: 'p1', quantity: 2, one_time: true, discount_code: 'TEN' },
      '["addProduct","discount_code","TEN","email","a@b.example","one_time",true,"product_id","p1","quantity",2]',
    ],
    ['undoAddProduct', { product_id: 'p1' }, '["undoAddProduct","email","a@b.example","product_id","p1"]'],
    ['sendNow', {}, '["sendNow","email","a@b.example"]'],
    [
      'delaySubscription',
      { new_date: '2030-01-31' },
      '["delaySubscription","email","a@b.example","new_date","2030-01-31"]',
    ],
    [
      'swapProduct',
      { current_item_id: 'item_1', new_product_id: 'p2' },
      '["swapProduct","current_item_id","item_1","email","a@b.example","new_product_id","p2"]',
    ],
    [
      'reactivateSubscription',
      { subscription_id: 'sub_1' },
      '["reactivateSubscription","email","a@b.example","subscription_id","sub_1"]',
    ],
    ['runCustomAction', { action_id: 'a1' }, '["runCustomAction","action_id","a1","email","a@b.example"]'],
  ] as const)('matches the recorded canonical form for %s %j', async (endpoint, fields, canonical) => {
    const input = { email: 'A@B.example', ...fields }
    expect(canonicalClick(endpoint, input)).toBe(canonical)
    expect((await shared({ endpoint, input })).fingerprint).toBe(sha256(canonical))
    expect((await identifyClick({ ...request, endpoint, input }, true)).fingerprint).toBe(canonical)
  })

  it('matches the recorded digests', async () => {
    const unnamed = {
      customer: 'my-shop:live:customer:ebb18a030bf15174f5714e24d63af1a81355c951ea7389bd2a9bd18e3d0c2477',
      fingerprint: 'f4984921c7e0940fe640b4c4faed144d94254264dd6898f0368d683162c67510',
    }
    expect(await shared()).toEqual({ ...unnamed, windowMs: 10_000 })
    expect(await shared({ key: 'click-1' })).toEqual({
      ...unnamed,
      name: 'my-shop:live:name:3b5740e5f2880042858d4ce13dbbb1c438792b7023dda6698fda8d9f6a733472',
      derivedKey: 'c3c53cac3c85a54a26ba9396ae4c61dcd809c13109d5cb52e857a9acc76d0bb5',
      windowMs: day,
    })
  })

  it('contains request data in a local ledger', async () => {
    const customer = 'my-shop:live:customer:a@b.example'
    const fingerprint = '["addProduct","email","a@b.example","product_id","beans"]'
    expect(await identifyClick(request, true)).toEqual({ customer, fingerprint, windowMs: 10_000 })
    expect(await identifyClick({ ...request, key: 'click-1' }, true)).toMatchObject({ customer })
  })

  it('omits unknown and undefined fields', () => {
    const known = canonicalClick('sendNow', { email: 'a@b.example' })
    expect(canonicalClick('sendNow', { email: 'a@b.example', toString: 'x', note: undefined })).toBe(known)
  })
})
