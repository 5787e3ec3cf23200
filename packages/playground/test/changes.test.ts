import type { Product } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { listSwapChoices } from '../page/widgets/subscription-items.ts'
import { countChanges } from '../page/wire/count-changes.ts'
import type { DemoOrder, DemoState, DemoSubscription } from '../src/protocol.ts'

const product = (id: string, title: string, price = 10): Product => ({ id, title, price, images: [] })
const item = (id: string, title: string, price = 10) => ({ ...product(id, title, price), quantity: 1 })

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

describe('countChanges', () => {
  const empty: DemoState = { subscriptions: [], orders: [], discount_uses: [], actions_run: [] }
  const run = (action_id: string) => ({ email: 'a@example.com', action_id, run_on: '2026-03-10' })
  const order = (id: string, status: DemoOrder['status'] = 'open'): DemoOrder => ({
    ...{ id, status, email: 'a@example.com', kind: 'one_off', subscription_id: null, placed_on: '2026-03-10' },
    ...{ lines: [], items_minor: 10, discount_minor: 0, shipping_minor: 0, tax_minor: 0, total_minor: 10 },
  })
  const subscription = (id: string, next_billing_date: string): DemoSubscription => ({
    ...{ id, next_billing_date, email: 'a@example.com', status: 'active', lines: [] },
  })

  it('distinguishes new orders from changed orders, and finds changed subscriptions', () => {
    const [one, two] = [subscription('s1', '2026-03-24'), subscription('s2', '2026-04-09')]
    const before = { ...empty, orders: [order('2'), order('1')], subscriptions: [one, two] }
    const orders = [order('3'), order('2'), order('1', 'cancelled')]
    const now = { ...empty, orders, subscriptions: [two, subscription('s1', '2026-04-24')] }
    expect(countChanges(before, now)).toEqual({
      ...{ fresh: new Set(['3']), orders: new Set(['1']), subscriptions: new Set(['s1']), codeUses: 0, actionsRun: 0 },
    })
    expect(countChanges(now, structuredClone(now)).orders.size).toBe(0)
  })

  it('counts new entries in truncated lists and identical new entries, but not removed entries', () => {
    const before = { ...empty, actions_run: [run('b'), run('a')] }
    expect(countChanges(before, { ...empty, actions_run: [run('c'), run('b')] }).actionsRun).toBe(1)
    expect(countChanges(before, { ...empty, actions_run: [run('b'), run('b'), run('a')] }).actionsRun).toBe(1)
    expect(countChanges(before, empty).actionsRun).toBe(0)
  })
})
