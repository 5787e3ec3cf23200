import type { Product } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { compareSubscriptions, listSwapChoices } from '../page/widgets/subscription-items.ts'
import { countChanges } from '../page/wire/use-inside.ts'
import type { InsideOrder, ShopInside } from '../src/protocol.ts'

const product = (id: string, title: string, price = 10): Product => ({ id, title, price, images: [] })
const item = (id: string, title: string, price = 10, quantity = 1) => ({ ...product(id, title, price), quantity })

it.each([
  ['never the product that names it', item('a', 'Another title'), ['b', 'c']],
  ['never the product that names it, bought once', item('a~once', 'Another title'), ['b', 'c']],
  ['never the product of its title, where the shop names items in its own way', item('17', 'House', 9), ['b', 'c']],
  ['told from others of its title by the price', item('18', 'Filter', 20), ['a', 'b']],
  ['everything for an item that is listed no more', item('19', 'Gone'), ['a', 'b', 'c']],
])('what an item can become is %s', (_what, of, ids) => {
  const products = [product('a', 'House'), product('b', 'Filter'), product('c', 'Filter', 20)]
  expect(listSwapChoices(products, of).map(({ id }) => id)).toEqual(ids)
})

describe('two readings of a subscription', () => {
  const before = { next_billing_date: '2026-03-24', items: [item('a', 'House'), item('b', 'Filter')] }

  it.each([
    ['in the date alone', { next_billing_date: '2026-03-25' }, true, []],
    [
      'in items that are new, or have another quantity or price',
      { items: [item('a', 'House', 10, 2), item('b', 'Filter', 9), item('c', 'New')] },
      false,
      ['a', 'b', 'c'],
    ],
    ['in nothing where an item has gone', { items: [item('a', 'House')] }, false, []],
  ])('differ %s', (_what, change, date, items) => {
    expect(compareSubscriptions(before, { ...before, ...change })).toEqual({ date, items: new Set(items) })
  })
})

describe('what came to a shop', () => {
  const empty: ShopInside = { today: '2026-03-10', orders: [], codeUses: [], actionsRun: [] }
  const use = { email: 'a@example.com', code: 'TEN', usedOn: '2026-03-10', amount: 5, orderId: null }
  const run = (actionId: string) => ({ email: 'a@example.com', actionId, runOn: '2026-03-10' })
  const order = (id: string, status: InsideOrder['status'] = 'open'): InsideOrder => ({
    ...{ id, status, email: 'a@example.com', kind: 'one_off', subscriptionId: null, placedOn: '2026-03-10' },
    ...{ lines: [], items: 10, discount: 0, shipping: 0, tax: 0, total: 10 },
  })

  it('is nothing between two looks that are alike', () => {
    const shop = { ...empty, orders: [order('1')], codeUses: [use], actionsRun: [run('x')] }
    const nothing = { newOrders: new Set(), touchedOrders: new Set(), codeUses: 0, actionsRun: 0 }
    expect(countChanges(shop, structuredClone(shop))).toEqual(nothing)
  })

  it('tells new orders from changed ones', () => {
    const before = { ...empty, orders: [order('2'), order('1')] }
    const now = { ...empty, orders: [order('3'), order('2'), order('1', 'cancelled')] }
    expect(countChanges(before, now)).toMatchObject({ newOrders: new Set(['3']), touchedOrders: new Set(['1']) })
  })

  it('counts uses and runs that are alike, also where the oldest have left the list, and none for one taken back', () => {
    const before = { ...empty, codeUses: [use], actionsRun: [run('b'), run('a')] }
    const now = { ...empty, codeUses: [use, use], actionsRun: [run('c'), run('b')] }
    expect(countChanges(before, now)).toMatchObject({ codeUses: 1, actionsRun: 1 })
    expect(countChanges(before, empty).codeUses).toBe(0)
  })
})
