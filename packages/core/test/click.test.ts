import { createHash } from 'node:crypto'
import type { EndpointName } from '@storeport/core'
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

describe('click identity (rules 1 to 4)', () => {
  // If these values change, no ledger finds the clicks that it has stored.
  it.each<[EndpointName, fields: object, canonical: string]>([
    ['addProduct', { product_id: 'p1', quantity: 1, one_time: false }, '"email","a@b.example","product_id","p1"'],
    [
      'addProduct',
      { product_id: 'p1', quantity: 2, one_time: true, discount_code: 'TEN' },
      '"discount_code","TEN","email","a@b.example","one_time",true,"product_id","p1","quantity",2',
    ],
    ['undoAddProduct', { product_id: 'p1' }, '"email","a@b.example","product_id","p1"'],
    ['sendNow', {}, '"email","a@b.example"'],
    ['delaySubscription', { new_date: '2030-01-31' }, '"email","a@b.example","new_date","2030-01-31"'],
    [
      'swapProduct',
      { current_item_id: 'item_1', new_product_id: 'p2' },
      '"current_item_id","item_1","email","a@b.example","new_product_id","p2"',
    ],
    ['reactivateSubscription', { subscription_id: 's1' }, '"email","a@b.example","subscription_id","s1"'],
    ['runCustomAction', { action_id: 'a1' }, '"action_id","a1","email","a@b.example"'],
  ])('matches the recorded canonical form for %s %j', async (endpoint, fields, members) => {
    const input = { email: 'A@B.example', ...fields, toString: 'x', note: undefined }
    const canonical = `["${endpoint}",${members}]`
    expect(canonicalClick(endpoint, input)).toBe(canonical)
    expect((await shared({ endpoint, input })).body).toBe(sha256(canonical))
    expect((await identifyClick({ ...request, endpoint, input }, true)).body).toBe(canonical)
  })

  it('matches the recorded digests', async () => {
    const unnamed = {
      line: 'my-shop:live:a@b.example',
      customer: 'my-shop:live:ebb18a030bf15174f5714e24d63af1a81355c951ea7389bd2a9bd18e3d0c2477',
      body: 'f4984921c7e0940fe640b4c4faed144d94254264dd6898f0368d683162c67510',
    }
    expect(await shared()).toEqual({ ...unnamed, name: '', derivedKey: '', windowMs: 10_000 })
    expect(await shared({ key: 'click-1' })).toEqual({
      ...unnamed,
      name: sha256('addProduct:click-1'),
      derivedKey: '0eb6923b322ccd6b1c3e28135f8d6bf7926ecff41bfd6f232d77552e4a9aac64',
      windowMs: day,
    })
  })

  it('contains request data in a local ledger', async () => {
    const customer = 'my-shop:live:a@b.example'
    const body = '["addProduct","email","a@b.example","product_id","beans"]'
    expect(await identifyClick(request, true)).toEqual({ customer, name: '', body, derivedKey: '', windowMs: 10_000 })
    const { derivedKey } = await shared({ key: 'click-1' })
    const named = { customer, name: 'addProduct:click-1', body, derivedKey, windowMs: day }
    expect(await identifyClick({ ...request, key: 'click-1' }, true)).toEqual(named)
  })
})
