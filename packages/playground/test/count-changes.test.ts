import { describe, expect, it } from 'vitest'
import { countChanges } from '../page/merchant/count-changes.ts'
import type { InsideOrder, ShopInside } from '../src/protocol.ts'

const empty: ShopInside = { today: '2026-03-10', orders: [], codeUses: [], actionsRun: [] }
const use = { email: 'a@example.com', code: 'TEN', usedOn: '2026-03-10', amount: 5, orderId: null }
const run = (actionId: string) => ({ email: 'a@example.com', actionId, runOn: '2026-03-10' })

function order(id: string, status: InsideOrder['status'] = 'open'): InsideOrder {
  const sums = { items: 10, discount: 0, shipping: 0, tax: 0, total: 10 }
  return {
    id,
    email: 'a@example.com',
    kind: 'one_off',
    subscriptionId: null,
    status,
    placedOn: '2026-03-10',
    lines: [],
    ...sums,
  }
}

describe('what came to a shop', () => {
  it('is nothing between two looks that are alike', () => {
    const shop = { ...empty, orders: [order('1')], codeUses: [use], actionsRun: [run('x')] }
    expect(countChanges(shop, structuredClone(shop))).toEqual({
      newOrders: new Set(),
      touchedOrders: new Set(),
      codeUses: 0,
      actionsRun: 0,
    })
  })

  it('tells new orders from changed ones', () => {
    const before = { ...empty, orders: [order('2'), order('1')] }
    const now = { ...empty, orders: [order('3'), order('2'), order('1', 'cancelled')] }
    expect(countChanges(before, now)).toMatchObject({ newOrders: new Set(['3']), touchedOrders: new Set(['1']) })
  })

  it('counts uses and runs that are alike, also where the oldest have left the list', () => {
    const before = { ...empty, codeUses: [use], actionsRun: [run('b'), run('a')] }
    const now = { ...empty, codeUses: [use, use], actionsRun: [run('c'), run('b')] }
    expect(countChanges(before, now)).toMatchObject({ codeUses: 1, actionsRun: 1 })
  })

  it('counts a use that was taken back as none', () => {
    expect(countChanges({ ...empty, codeUses: [use] }, empty).codeUses).toBe(0)
  })
})
