import type { Product } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { compareSubscriptions, listSwapChoices } from '../page/widgets/subscription-items.ts'
import { countChanges } from '../page/wire/use-demo-state.ts'
import type { DemoOrder, DemoState } from '../src/protocol.ts'

const product = (id: string, title: string, price = 10): Product => ({ id, title, price, images: [] })
const item = (id: string, title: string, price = 10, quantity = 1) => ({ ...product(id, title, price), quantity })

it.each([
  ['all products except the swapped product, by product id', item('a', 'Another title'), ['b', 'c']],
  ['all products except the swapped product, for a one-time item', item('a~once', 'Another title'), ['b', 'c']],
  ['all products except the swapped product, by title', item('17', 'House', 9), ['b', 'c']],
  ['all products except the swapped product, by title and price', item('18', 'Filter', 20), ['a', 'b']],
  ['all products if the swapped product is not listed', item('19', 'Gone'), ['a', 'b', 'c']],
])('listSwapChoices: returns %s', (_name, of, ids) => {
  const products = [product('a', 'House'), product('b', 'Filter'), product('c', 'Filter', 20)]
  expect(listSwapChoices(products, of).map(({ id }) => id)).toEqual(ids)
})

describe('compareSubscriptions', () => {
  const before = { next_billing_date: '2026-03-24', items: [item('a', 'House'), item('b', 'Filter')] }

  it.each([
    ['a changed date', { next_billing_date: '2026-03-25' }, true, []],
    [
      'new items, and items with another quantity or price',
      { items: [item('a', 'House', 10, 2), item('b', 'Filter', 9), item('c', 'New')] },
      false,
      ['a', 'b', 'c'],
    ],
    ['no change if an item was removed', { items: [item('a', 'House')] }, false, []],
  ])('reports %s', (_name, change, date, items) => {
    expect(compareSubscriptions(before, { ...before, ...change })).toEqual({ date, items: new Set(items) })
  })
})

describe('countChanges', () => {
  const empty: DemoState = { today: '2026-03-10', orders: [], codeUses: [], actionsRun: [] }
  const use = { email: 'a@example.com', code: 'TEN', usedOn: '2026-03-10', amount: 5, orderId: null }
  const run = (actionId: string) => ({ email: 'a@example.com', actionId, runOn: '2026-03-10' })
  const order = (id: string, status: DemoOrder['status'] = 'open'): DemoOrder => ({
    ...{ id, status, email: 'a@example.com', kind: 'one_off', subscriptionId: null, placedOn: '2026-03-10' },
    ...{ lines: [], items: 10, discount: 0, shipping: 0, tax: 0, total: 10 },
  })

  it('counts no changes if the data is the same', () => {
    const shop = { ...empty, orders: [order('1')], codeUses: [use], actionsRun: [run('x')] }
    const nothing = { newOrders: new Set(), touchedOrders: new Set(), codeUses: 0, actionsRun: 0 }
    expect(countChanges(shop, structuredClone(shop))).toEqual(nothing)
  })

  it('distinguishes new orders from changed orders', () => {
    const before = { ...empty, orders: [order('2'), order('1')] }
    const now = { ...empty, orders: [order('3'), order('2'), order('1', 'cancelled')] }
    expect(countChanges(before, now)).toMatchObject({ newOrders: new Set(['3']), touchedOrders: new Set(['1']) })
  })

  it('counts new entries that are identical or in truncated lists, but not removed entries', () => {
    const before = { ...empty, codeUses: [use], actionsRun: [run('b'), run('a')] }
    const now = { ...empty, codeUses: [use, use], actionsRun: [run('c'), run('b')] }
    expect(countChanges(before, now)).toMatchObject({ codeUses: 1, actionsRun: 1 })
    expect(countChanges(before, empty).codeUses).toBe(0)
  })
})
