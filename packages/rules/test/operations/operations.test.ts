import {
  addProduct,
  type CustomerAccount,
  listCancelledSubscriptions,
  reactivateSubscription,
  sendNow,
  type Shop,
  undoAddProduct,
} from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import {
  add,
  codeOf,
  customer,
  given,
  inTurn,
  productWith,
  seeded,
  subscriber,
  today,
  undo,
  visitor,
} from '../given.ts'

describe('listCancelledSubscriptions', () => {
  it('sorts by cancellation date and then by id, regardless of the sequence in the account', () => {
    const { account, shop } = given({
      subscriptions: [
        { id: 'old', cancelled_on: '2026-01-01' },
        { id: 'z', cancelled_on: '2026-02-01' },
        { id: 'new', cancelled_on: '2026-03-01' },
        { id: 'a', cancelled_on: '2026-02-01' },
      ],
    })
    const { subscriptions } = listCancelledSubscriptions(account, customer, shop)
    expect(subscriptions.map(({ subscription_id }) => subscription_id)).toEqual(['new', 'a', 'z', 'old'])
  })
})

describe('reactivateSubscription', () => {
  const reactivate = (subscription_id: string, discount_code?: string) => ({
    ...customer,
    subscription_id,
    ...(discount_code !== undefined && { discount_code }),
  })

  it.each([
    ['cancelled@example.com', 'sub_3002', 'subscription_not_found'],
    ['cancelled@example.com', 'sub_2001', 'subscription_not_eligible'],
    ['another@example.com', 'sub_3001', 'subscription_not_cancelled'],
  ])('rejects an invalid subscription before an invalid discount code: %s, %s, %s', (email, id, code) => {
    const { account, shop } = seeded(email)
    expect(codeOf(() => reactivateSubscription(account, reactivate(id, 'NOSUCHCODE'), shop))).toBe(code)
  })

  it.each([
    ['2025-03-10', undefined],
    ['2025-03-09', 'subscription_not_eligible'],
    [today, undefined],
  ] as const)('accepts a subscription until 365 days after its cancellation: cancelled on %s', (cancelled_on, code) => {
    const { account, shop } = given({ subscriptions: [{ id: 'sub', cancelled_on }] })
    expect(codeOf(() => reactivateSubscription(account, reactivate('sub'), shop))).toBe(code)
    expect(listCancelledSubscriptions(account, customer, shop).subscriptions).toHaveLength(code === undefined ? 1 : 0)
  })
})

describe('sendNow', () => {
  const sending = (shop: Shop) => (account: CustomerAccount) => sendNow(account, customer, shop)

  it('rejects a second order within an hour, even after midnight or after the clock is set back', () => {
    const { account, shop } = subscriber()
    const midnight = Date.UTC(2026, 2, 11)
    const at = (day: string, now: number) => ({ ...shop, today: day, now })
    const sent = inTurn(account, sending(at('2026-03-10', midnight - 60_000)))
    const refused = [at('2026-03-11', midnight + 3_539_999), at('2026-03-09', midnight - 86_400_000)]
    for (const later of refused) expect(codeOf(() => sendNow(sent, customer, later))).toBe('order_already_processing')
    expect(inTurn(sent, sending(at('2026-03-11', midnight + 3_540_000))).orders).toHaveLength(2)
  })

  it('rejects a subscription without items', () => {
    const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01' }] })
    expect(codeOf(() => sendNow(account, customer, shop))).toBe('order_not_processable')
  })

  it.each([
    ['every recurring item', ['test_12345', 'test_54321'], ['test_12345', 'test_54321'], 'order_not_processable'],
    ['one of two recurring items', ['test_12345', 'test_54321'], ['test_12345'], 'done'],
  ])('looks at the stock of recurring items: %s is sold out', (_name, ids, sold, outcome) => {
    const items = [...ids, 'test_67890'].map((product_id, at) => ({ id: `i${at}`, product_id, one_time: at === 2 }))
    const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01', items }] })
    const product = (id: string) => productWith({ id, available: !sold.includes(id) })
    expect(codeOf(() => sendNow(account, customer, { ...shop, product })) ?? 'done').toBe(outcome)
  })
})

describe('undoAddProduct', () => {
  const adding =
    (shop: Shop, ...input: Parameters<typeof add>) =>
    (account: CustomerAccount) =>
      addProduct(account, add(...input), shop)

  const undoing = (shop: Shop, product_id: string) => (account: CustomerAccount) =>
    undoAddProduct(account, undo(product_id), shop)

  it('does not change a one-off order whose fulfillment has started', () => {
    const { account, shop } = visitor()
    const older = inTurn(account, adding(shop, 'test_12345', { quantity: 2 }))
    const added = inTurn(older, adding(shop, 'test_12345', { quantity: 3 }))
    const taken = (count: number): CustomerAccount => ({
      ...added,
      orders: added.orders.map((order, at) =>
        at >= added.orders.length - count ? { ...order, status: 'shipped' } : order,
      ),
    })
    expect(inTurn(taken(1), undoing(shop, 'test_12345')).orders.map(({ status }) => status)).toEqual([
      'cancelled',
      'shipped',
    ])
    expect(codeOf(() => undoAddProduct(taken(2), undo('test_12345'), shop))).toBe('product_not_in_order')
  })

  it('undoes a one-off order, and then an earlier addition to a cancelled subscription', () => {
    const { account, shop } = given({
      subscriptions: [{ id: 'sub', next_billing_date: today, items: [{ id: 'mine', product_id: 'test_12345' }] }],
    })
    const added = inTurn(account, adding(shop, 'test_12345'))
    const cancelled: CustomerAccount = {
      ...added,
      subscriptions: added.subscriptions.map((subscription) => ({
        ...subscription,
        status: 'cancelled',
        next_billing_date: null,
        cancelled_on: today,
      })),
    }
    const ordered = inTurn(cancelled, adding(shop, 'test_12345'))
    const once = inTurn(ordered, undoing(shop, 'test_12345'))
    expect(once.orders).toMatchObject([{ status: 'cancelled' }])
    expect(inTurn(once, undoing(shop, 'test_12345')).subscriptions[0]?.items).toEqual(account.subscriptions[0]?.items)
  })

  it('rejects an undo if the item was removed or has a smaller quantity than the addition', () => {
    const { account, shop } = subscriber()
    const added = inTurn(account, adding(shop, 'test_12345', { quantity: 3 }))
    const withItems = (
      change: (items: CustomerAccount['subscriptions'][0]['items']) => typeof items,
    ): CustomerAccount => ({
      ...added,
      subscriptions: added.subscriptions.map((subscription) => ({
        ...subscription,
        items: change(subscription.items),
      })),
    })
    const shorter = withItems((items) => items.map((item) => ({ ...item, quantity: 1 })))
    const gone = withItems(() => [])
    expect(codeOf(() => undoAddProduct(shorter, undo('test_12345'), shop))).toBe('product_not_in_order')
    expect(codeOf(() => undoAddProduct(gone, undo('test_12345'), shop))).toBe('product_not_in_order')
  })
})
