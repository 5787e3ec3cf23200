import {
  addProduct,
  getSubscription,
  isUsableProductId,
  swapProduct,
  undoAddProduct,
  wireItemId,
} from '@storeport/rules'
import type { CustomerAccount } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, given, inTurn, productWith, refusal, seeded, swap } from '../given.ts'

const { shop } = seeded('subscription@example.com')
const undo = (product_id: string) => (account: CustomerAccount) =>
  undoAddProduct(account, { ...customer, product_id }, shop)
const once = (product_id: string) => (account: CustomerAccount) =>
  addProduct(account, add(product_id, { one_time: true }), shop)
const forGood = (product_id: string) => (account: CustomerAccount) => addProduct(account, add(product_id), shop)
const swapping = (from: string, to: string) => (account: CustomerAccount) => swapProduct(account, swap(from, to), shop)

/** The ids on the wire and the quantities after these operations. */
function idsAfter(...rules: ((account: CustomerAccount) => CustomerAccount)[]): readonly string[] {
  const { account } = seeded('subscription@example.com')
  const { items } = getSubscription(inTurn(account, ...rules), customer, shop)
  return items.map(({ id, quantity }) => `${id} ×${quantity}`)
}

describe('an item on the wire', () => {
  it('is named by its product, a one-time line by that and ~once', () => {
    expect(wireItemId({ product_id: 'tea', one_time: false })).toBe('tea')
    expect(wireItemId({ product_id: 'tea', one_time: true })).toBe('tea~once')
  })

  it('that addProduct makes has the id that listProducts gives the product', () => {
    expect(idsAfter(forGood('test_54321'))).toEqual(['test_12345 ×2', 'test_67890 ×1', 'test_54321 ×1'])
    expect(idsAfter(once('test_54321'))).toEqual(['test_12345 ×2', 'test_67890 ×1', 'test_54321~once ×1'])
  })

  it('keeps its id when its twin comes or goes', () => {
    expect(idsAfter(once('test_12345'))).toEqual(['test_12345 ×2', 'test_67890 ×1', 'test_12345~once ×1'])
    expect(idsAfter(once('test_12345'), undo('test_12345'))).toEqual(['test_12345 ×2', 'test_67890 ×1'])
    const both = [once('test_54321'), forGood('test_54321')]
    expect(idsAfter(...both).slice(2)).toEqual(['test_54321~once ×1', 'test_54321 ×1'])
    expect(idsAfter(...both, undo('test_54321')).slice(2)).toEqual(['test_54321~once ×1'])
    expect(idsAfter(...both, swapping('test_54321', 'test_12345')).slice(2)).toEqual(['test_54321~once ×1'])
  })

  it('has the id of the new product after a swap, and the old one is unknown', () => {
    expect(idsAfter(swapping('test_12345', 'test_54321'))).toEqual(['test_54321 ×2', 'test_67890 ×1'])
    expect(idsAfter(once('test_12345'), swapping('test_12345~once', 'test_54321'))).toEqual([
      'test_12345 ×2',
      'test_67890 ×1',
      'test_54321~once ×1',
    ])
    expect(refusal(() => idsAfter(swapping('test_12345', 'test_54321'), swapping('test_12345', 'test_67890')))).toBe(
      'item_not_found',
    )
    expect(
      refusal(() =>
        idsAfter(
          once('test_12345'),
          swapping('test_12345~once', 'test_54321'),
          swapping('test_12345~once', 'test_67890'),
        ),
      ),
    ).toBe('item_not_found')
  })

  it('of one kind is not swapped by the name of the other', () => {
    expect(refusal(() => idsAfter(once('test_54321'), swapping('test_54321', 'test_12345')))).toBe('item_not_found')
    expect(idsAfter(once('test_12345'), swapping('test_12345', 'test_54321'))).toEqual([
      'test_54321 ×2',
      'test_67890 ×1',
      'test_12345~once ×1',
    ])
  })

  it('is followed by the undo of its add: of the product that was added last, whichever line that made', () => {
    expect(idsAfter(forGood('test_12345'), once('test_12345'), undo('test_12345'))).toEqual([
      'test_12345 ×3',
      'test_67890 ×1',
    ])
    expect(idsAfter(once('test_12345'), forGood('test_12345'), undo('test_12345'))).toEqual([
      'test_12345 ×2',
      'test_67890 ×1',
      'test_12345~once ×1',
    ])
  })
})

describe('a product id that an older database may have', () => {
  const long = 'x'.repeat(251)
  const product = (id: string) => productWith({ id, title: id, price_minor: 100 })
  const old = (items: readonly { id: string; product_id: string; one_time?: boolean }[]) => {
    const started = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01' }] }, { product })
    const [subscription] = started.account.subscriptions
    if (subscription === undefined) throw new Error('The subscription is lost.')
    const kept = items.map(({ one_time = false, ...item }) => ({ ...item, quantity: 1, price_minor: 100, one_time }))
    return { ...started, account: { ...started.account, subscriptions: [{ ...subscription, items: kept }] } }
  }

  it.each(['tea~once', long])('cannot be used any more: %s', (id) => {
    expect(isUsableProductId(id)).toBe(false)
  })

  it('is usable from 1 to 250 characters, with ~once anywhere but at the end', () => {
    expect(['t', 'x'.repeat(250), '~once more', 'tea~Once', 'tea-once'].every(isUsableProductId)).toBe(true)
    expect(isUsableProductId('')).toBe(false)
  })

  it.each(['tea~once', long])('can be added for good, and never for once: %s', (id) => {
    const started = old([])
    const added = addProduct(started.account, add(id), started.shop)
    expect(getSubscription(added, customer, started.shop).items).toMatchObject([{ id }])
    expect(refusal(() => addProduct(started.account, add(id, { one_time: true }), started.shop))).toBe(
      'product_unavailable',
    )
  })

  it('is no product for a one-time line to be swapped into', () => {
    const started = old([{ id: 'row', product_id: 'coffee', one_time: true }])
    expect(refusal(() => swapProduct(started.account, swap('coffee~once', 'tea~once'), started.shop))).toBe(
      'product_unavailable',
    )
  })

  it('never gives two items one id', () => {
    const one = old([{ id: 'row', product_id: 'tea~once' }])
    expect(refusal(() => addProduct(one.account, add('tea', { one_time: true }), one.shop))).toBe('product_unavailable')
    const other = old([
      { id: 'row', product_id: 'tea', one_time: true },
      { id: 'other row', product_id: 'coffee' },
    ])
    expect(refusal(() => addProduct(other.account, add('tea~once'), other.shop))).toBe('product_unavailable')
    expect(refusal(() => swapProduct(other.account, swap('coffee', 'tea~once'), other.shop))).toBe(
      'product_unavailable',
    )
  })
})
