import type { Product } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { swapChoices } from '../page/widgets/swap-choices.ts'
import { compareSubscriptions } from '../page/widgets/use-changes.ts'

const product = (id: string, title: string, price = 10): Product => ({ id, title, price, images: [] })
const item = (id: string, title: string, price = 10, quantity = 1) => ({ ...product(id, title, price), quantity })

describe('what an item can become', () => {
  const products = [product('a', 'House'), product('b', 'Filter'), product('c', 'Filter', 20)]
  const ids = (of: ReturnType<typeof item>) => swapChoices(products, of).map(({ id }) => id)

  it('is never the product that names it', () => {
    expect(ids(item('a', 'Another title'))).toEqual(['b', 'c'])
  })

  it('is never the product of its title, where the shop names items in its own way', () => {
    expect(ids(item('line-17', 'House', 9))).toEqual(['b', 'c'])
  })

  it('is told from others of its title by the price', () => {
    expect(ids(item('line-18', 'Filter', 20))).toEqual(['a', 'b'])
  })

  it('is everything for an item that is listed no more', () => {
    expect(ids(item('line-19', 'Gone'))).toEqual(['a', 'b', 'c'])
  })
})

describe('two readings of a subscription', () => {
  const before = { next_billing_date: '2026-03-24', items: [item('a', 'House'), item('b', 'Filter')] }

  it('differ in the date alone', () => {
    const changes = compareSubscriptions(before, { ...before, next_billing_date: '2026-03-25' })
    expect(changes).toEqual({ date: true, items: new Set() })
  })

  it('differ in items that are new, or have another quantity or price', () => {
    const items = [item('a', 'House', 10, 2), item('b', 'Filter', 9), item('c', 'New')]
    expect(compareSubscriptions(before, { ...before, items })).toEqual({ date: false, items: new Set(['a', 'b', 'c']) })
  })

  it('differ in nothing where an item has gone', () => {
    expect(compareSubscriptions(before, { ...before, items: [item('a', 'House')] }).items.size).toBe(0)
  })
})
