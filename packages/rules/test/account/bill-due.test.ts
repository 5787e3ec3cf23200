import {
  addProduct,
  billDue,
  delaySubscription,
  getSubscription,
  listCancelledSubscriptions,
  reactivateSubscription,
  sendNow,
  soonest,
  swapProduct,
  undoAddProduct,
} from '@storeport/rules'
import type { CustomerAccount, Interval, Shop, Subscription, SubscriptionTermsData } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { add, customer, given, inTurn, codeOf, subscriber, swap, undo } from '../given.ts'

const datesOf = (account: CustomerAccount) => account.subscriptions.map((one) => one.next_billing_date)
const items = [{ id: 'row', product_id: 'test_12345', quantity: 2 }]
const later = (shop: Shop, date: string): Shop => ({ ...shop, today: date })

/** Creates a customer with one subscription and the given next billing date. */
function subscribedTo(next_billing_date: string, interval: Interval, changes: Partial<Shop> = {}) {
  return given({ subscriptions: [{ id: 'sub', next_billing_date, interval, items }] }, changes)
}

describe('billDue', () => {
  it('creates the same order as sendNow, and removes the same items, codes and additions', () => {
    const { account, shop } = subscriber()
    const added = inTurn(
      account,
      (before) => addProduct(before, add('test_54321', { one_time: true, discount_code: 'TEST10' }), shop),
      (before) => addProduct(before, add('test_12345', { quantity: 2, discount_code: 'FIVEOFF' }), shop),
    )
    const day = later(shop, '2026-03-24')
    const billed = billDue(added, { ...day, newId: () => 'order' })
    const sent = sendNow(added, customer, { ...day, newId: () => 'order' })
    expect(billed.orders).toHaveLength(1)
    expect(billed).toEqual(sent)
    expect(billed.adds).toEqual([])
    expect(billed.subscriptions[0]?.items.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      ['test_12345', 4],
      ['test_67890', 1],
    ])
  })

  it.each([
    [{ unit: 'month', count: 1 }, '2026-01-31', '2026-05-01', '2026-05-31'],
    [{ unit: 'month', count: 3 }, '2025-11-30', '2026-03-01', '2026-05-30'],
    [{ unit: 'week', count: 6 }, '2026-01-31', '2026-03-14', '2026-04-25'],
    [{ unit: 'day', count: 1 }, '2026-01-31', '2026-05-11', '2026-05-12'],
  ] as const)('advances the billing date by %j: due %s, billed %s, next due %s', (interval, due, day, next) => {
    const { account, shop } = subscribedTo(due, interval, { today: day })
    const billed = billDue(account, shop)
    expect(datesOf(billed)).toEqual([next])
    expect(billed.orders).toMatchObject([{ placed_on: day, subscription_id: 'sub', status: 'processing' }])
  })

  it('creates no order without units, and advances the billing date', () => {
    const { account, shop } = subscribedTo('2026-03-01', { unit: 'month', count: 1 })
    const subscriptions = account.subscriptions.map((one) => ({
      ...one,
      items: one.items.map((item) => ({ ...item, quantity: 0 })),
    }))
    expect(billDue({ ...account, subscriptions }, shop)).toMatchObject({ orders: [] })
  })

  it('throws RangeError if the billing date cannot be advanced to a future date', () => {
    const { account, shop } = subscribedTo('9999-12-01', { unit: 'month', count: 1 }, { today: '9999-12-31' })
    expect(() => billDue(account, shop)).toThrow(RangeError)
  })

  it.each([
    { interval: { unit: 'day', count: 0 } as const },
    { tax_rate: 8 },
    { items: [{ id: 'row', product_id: 'test_12345', quantity: 2, price_minor: -1, one_time: false }] },
  ])('does not bill an invalid subscription: %j', (values) => {
    const { account, shop } = subscribedTo('2026-03-01', { unit: 'day', count: 1 })
    const subscriptions = account.subscriptions.map((one) => ({ ...one, ...values }))
    expect(() => billDue({ ...account, subscriptions }, shop)).toThrow(TypeError)
  })
})

it('bills the other subscriptions of a customer with an invalid subscription, and then reports it', () => {
  const dates = ['2026-03-01', '2026-03-02', '2026-03-03']
  const subscriptions = dates.map((next_billing_date, index) => ({
    ...{ id: `sub${index}`, next_billing_date },
    items: [{ id: `row${index}`, product_id: 'test_12345' }],
  }))
  const { account, shop } = given({ subscriptions })
  const lost = (one: Subscription) => ({ ...one, items: one.items.map((item) => ({ ...item, product_id: 'lost' })) })
  const broken = account.subscriptions.map((one, index) => (index === 1 ? one : lost(one)))
  const billed = billDue({ ...account, subscriptions: broken }, shop)
  expect(billed.orders).toMatchObject([{ subscription_id: 'sub1' }])
  expect(datesOf(billed)).toEqual(['2026-03-01', '2026-04-02', '2026-03-03'])
  expect(() => billDue(billed, shop)).toThrow('subscription sub0: its product lost is not in the catalog')
})

describe('billing date', () => {
  const month = { unit: 'month', count: 1 } as const

  /** Bills one subscription repeatedly, each time on its billing date. Returns the billing dates. */
  function billInTurn(
    changes: Partial<SubscriptionTermsData> & { next_billing_date?: string },
    times: number,
  ): string[] {
    const data = { id: 'sub', next_billing_date: '2027-01-31', interval: month, items, ...changes }
    const { account: first, shop } = given({ subscriptions: [data] }, { today: '2027-01-01' })
    const dates: string[] = []
    let account = first
    while (dates.length < times) {
      const date = soonest(account.subscriptions)?.next_billing_date ?? ''
      dates.push(date)
      account = billDue(account, later(shop, date))
    }
    return dates
  }

  it.each([
    ['a shorter month', {}, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    [
      'three years without a leap day',
      { next_billing_date: '2024-02-29', interval: { unit: 'month', count: 12 } },
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29', '2029-02-28'],
    ],
    [
      'a billing date on another day',
      { next_billing_date: '2027-01-15', anchor_day: 31 },
      ['2027-01-15', '2027-02-28', '2027-03-31'],
    ],
  ] as const)('returns to the anchor day after %s', (_, changes, dates) => {
    expect(billInTurn(changes, dates.length)).toEqual(dates)
  })

  it.each([
    ['delaySubscription', '2027-03-30', '2027-04-30', '2027-05-30'],
    ['sendNow', '2027-03-28', '2027-04-28', '2027-05-28'],
  ] as const)('stays on the day of the month that %s sets', (name, first, second, third) => {
    const { account, shop } = subscribedTo('2027-01-31', month)
    const billed = billDue(account, later(shop, '2027-01-31'))
    expect(datesOf(billed)).toEqual(['2027-02-28'])
    const day = later(shop, '2027-02-28')
    const changed =
      name === 'sendNow'
        ? sendNow({ ...billed, last_sent_at: null, last_sent_on: null }, customer, later(shop, '2027-02-28'))
        : delaySubscription(billed, { ...customer, new_date: '2027-03-30' }, later(day, '2027-02-27'))
    const after = billDue(changed, later(shop, first))
    expect([...datesOf(changed), ...datesOf(after), ...datesOf(billDue(after, later(shop, second)))]).toEqual([
      first,
      second,
      third,
    ])
  })

  it('determines the sequence of two orders, and a skipped date does not', () => {
    const { account, shop } = given({
      subscriptions: [
        { id: 'skips', next_billing_date: '2027-01-10', skipped: ['2027-01-10'], items },
        { id: 'other', next_billing_date: '2027-01-20', items: [{ id: 'other row', product_id: 'test_12345' }] },
      ],
    })
    const billed = billDue(account, later(shop, '2027-02-25'))
    expect(billed.orders.map(({ subscription_id }) => subscription_id)).toEqual(['other', 'skips'])
  })

  it('can be a skipped date if the customer delays the subscription to that date', () => {
    const { account, shop } = given(
      { subscriptions: [{ id: 'sub', next_billing_date: '2027-01-31', skipped: ['2027-02-10', '2027-02-20'] }] },
      { today: '2027-01-01' },
    )
    const delayed = delaySubscription(account, { ...customer, new_date: '2027-02-10' }, shop)
    expect(delayed.subscriptions[0]).toMatchObject({ next_billing_date: '2027-02-10', skipped: ['2027-02-20'] })
  })
})

describe('paused subscription', () => {
  const { account, shop } = given({ subscriptions: [{ id: 'sub', paused: true, items }] })

  it.each([
    ['getSubscription', () => getSubscription(account, customer, shop)],
    ['sendNow', () => sendNow(account, customer, shop)],
    ['delaySubscription', () => delaySubscription(account, { ...customer, new_date: '2030-01-01' }, shop)],
    ['swapProduct', () => swapProduct(account, swap('row', 'test_67890'), shop)],
    ['reactivateSubscription', () => reactivateSubscription(account, { ...customer, subscription_id: 'sub' }, shop)],
    ['addProduct', () => addProduct(account, add('test_12345', { one_time: true }), shop)],
  ])('causes subscription_not_found in %s', (_name, run) => {
    expect(codeOf(run)).toBe('subscription_not_found')
  })

  it('is not billed or listed, and rejects an undo of its additions', () => {
    expect(billDue(account, later(shop, '2030-01-01'))).toBe(account)
    expect(listCancelledSubscriptions(account, customer, shop)).toEqual({ subscriptions: [] })
    const noIds = { order_id: null, discount_use_id: null }
    const open = { id: 'a', product_id: 'test_12345', quantity: 1, subscription_id: 'sub', item_id: 'row', ...noIds }
    const added = { ...account, adds: [open] }
    expect(codeOf(() => undoAddProduct(added, undo('test_12345'), shop))).toBe('product_not_in_order')
  })
})
