import { changesOf, type CustomerAccount } from '@storeport/rules'
import { applyChanges } from '@storeport/testing/apply-changes'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const terms = {
  title: 'Tea',
  interval: { unit: 'month', count: 1 },
  anchor_day: null,
  skipped: [],
  tax_rate: 0,
} as const
const costs = { shipping_minor: 0, order_discount_minor: 0 }
const totals = { items_minor: 0, discount_minor: 0, shipping_minor: 0, tax_minor: 0, total_minor: 0 }
const line = { product_id: 'tea', title: 'Tea', quantity: 1, price_minor: 5, one_time: false }

/** An account in which each record may be present, and may differ from the same record of another account. */
const anyAccount: fc.Arbitrary<CustomerAccount> = fc
  .record({
    subscriptions: fc.subarray(['s1', 's2']),
    items: fc.subarray(['i1', 'i2', 'i3']),
    orders: fc.subarray(['o1', 'o2']),
    uses: fc.subarray(['u1', 'u2']),
    adds: fc.subarray(['a1', 'a2']),
    number: fc.integer({ min: 1, max: 3 }),
    lines: fc.integer({ min: 0, max: 2 }),
    sentOn: fc.constantFrom(null, '2026-03-10'),
  })
  .map(({ subscriptions, items, orders, uses, adds, number, lines, sentOn }) => {
    const [subscription_id = null] = subscriptions
    const [order_id = null] = orders
    return {
      email: 'one@example.com',
      subscriptions: subscriptions.map((id, place) => ({
        ...{ id, ...terms, ...costs, status: 'active' as const, next_billing_date: `2026-04-0${number}` },
        cancelled_on: null,
        items: (place === 0 ? items : []).map((item) => ({ ...line, id: item, title: undefined, quantity: number })),
      })),
      orders: orders.map((id) => ({
        ...{
          id,
          kind: 'one_off' as const,
          subscription_id,
          status: 'open' as const,
          placed_on: '2026-03-10',
          ...totals,
        },
        lines: Array.from({ length: lines }, () => ({ ...line, quantity: number })),
      })),
      discount_uses: uses.map((id) => ({
        ...{ id, code: 'TEA', kind: 'fixed_amount' as const, amount_minor: number, subscription_id, order_id },
        ...{ items: [], used_on: '2026-03-10' },
      })),
      adds: adds.map((id) => ({
        ...{ id, product_id: 'tea', quantity: number, subscription_id, item_id: items[0] ?? null, order_id },
        discount_use_id: uses[0] ?? null,
      })),
      last_sent_on: sentOn,
      last_sent_at: null,
      recommended: [],
      pending_charge: null,
    }
  })

/** Sorts the lists, because tables have no sequence. */
function sorted(account: CustomerAccount): unknown {
  const sort = (_: string, value: unknown) =>
    Array.isArray(value)
      ? value.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
      : value
  return JSON.parse(JSON.stringify(account, sort), sort)
}

it('lists the changes that turn one account into another, in an order that foreign keys allow', () => {
  fc.assert(
    fc.property(anyAccount, anyAccount, (before, after) => {
      const changes = changesOf(before, after)
      expect(sorted(applyChanges(before, changes))).toEqual(sorted(after))
      // Each record changes at most once, and equal accounts have no changes.
      expect(new Set(changes.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(changes.length)
      const copies = Object.entries(after).map(([field, value]) => [
        field,
        Array.isArray(value) ? value.map((each: object) => ({ ...each })) : value,
      ])
      expect(changesOf(after, Object.fromEntries(copies))).toEqual([])
    }),
    { numRuns: 500 },
  )
})
