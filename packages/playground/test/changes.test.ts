import type { Product } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { listSwapChoices } from '../page/widgets/subscription-items.ts'
import { compareStates } from '../page/inspector/compare-states.ts'
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

describe('compareStates', () => {
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
    const { markOf, said } = compareStates(before, now)
    expect([...now.orders, ...now.subscriptions].map(markOf)).toEqual(['New', false, 'Changed', false, 'Changed'])
    expect(said).toBe('1 new order, 1 order changed, 1 subscription changed')
    expect(compareStates(now, structuredClone(now)).said).toBe('no changes')
  })

  it.each([
    ['c b', 1],
    ['b b a', 1],
    ['', 0],
  ])('counts new runs in truncated lists and identical runs, but not removed runs: %j', (ids, newRuns) => {
    const now = { ...empty, actions_run: ids.split(' ').filter(Boolean).map(run) }
    expect(compareStates({ ...empty, actions_run: [run('b'), run('a')] }, now)).toMatchObject({ newRuns })
  })
})
