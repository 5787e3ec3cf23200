import { readShopData, seed } from '@storeport/rules'
import { expect, it } from 'vitest'

const { accounts, products, discounts, actions } = readShopData(seed('2026-03-10'), 'USD')

it('contains the documented customers, with dates relative to today', () => {
  const summary = accounts.map(({ email, recommended, subscriptions }) => ({
    email,
    recommended: recommended.join(' '),
    subscriptions: subscriptions.map(({ id, title, next_billing_date, cancelled_on, items }) =>
      [
        id,
        title,
        next_billing_date ?? `cancelled ${cancelled_on}`,
        ...items.map((i) => `${i.id} ${i.product_id} ×${i.quantity}`),
      ].join(', '),
    ),
  }))
  expect(summary).toEqual([
    { email: 'test@example.com', recommended: '', subscriptions: [] },
    {
      email: 'subscription@example.com',
      recommended: 'test_54321 test_12345 test_67890',
      subscriptions: [
        'sub_1001, Every month, 2026-03-24, item_1 test_12345 ×2, item_2 test_67890 ×1',
        'sub_1002, Every 6 weeks, 2026-04-09, item_3 test_54321 ×1',
      ],
    },
    {
      email: 'cancelled@example.com',
      recommended: '',
      subscriptions: [
        'sub_2003, Every month, cancelled 2026-03-08, item_4 test_12345 ×1',
        'sub_2002, Every 6 weeks, cancelled 2026-02-18, item_5 test_67890 ×2',
        'sub_2001, Every month, cancelled 2025-02-03, item_6 test_54321 ×1',
      ],
    },
    {
      email: 'another@example.com',
      recommended: '',
      subscriptions: [
        'sub_3001, Every month, 2026-03-17, item_7 test_54321 ×3',
        'sub_3002, Every month, cancelled 2026-03-05, item_8 test_12345 ×1',
      ],
    },
  ])
  expect(accounts[1]?.subscriptions[0]).toMatchObject({
    shipping_minor: 599,
    order_discount_minor: 500,
    tax_rate: 0.08,
  })
})

it('contains the documented products, in the order of the general list', () => {
  expect(products.map(({ id, title, price_minor, available }) => [id, title, price_minor, available])).toEqual([
    ['test_12345', 'House Espresso, 500 g', 1995, true],
    ['test_67890', 'Single Origin Ethiopia, 500 g', 2995, true],
    ['test_54321', 'Hand Grinder', 4995, true],
    ['test_00000', 'Stoneware Mug', 995, false],
  ])
  expect(products.map((product) => product.compare_at_price_minor)).toEqual([null, 3995, null, null])
})

it('contains the documented discounts and actions', () => {
  expect(
    discounts.map((terms) => [terms.code, terms.kind === 'percentage' ? terms.percentage : terms.amount_minor]),
  ).toEqual([
    ['TEST10', 10],
    ['TEST20', 20],
    ['COMEBACK15', 15],
    ['FIVEOFF', 500],
    ['EXPIRED5', 5],
  ])
  expect(discounts.map(({ expires_on }) => expires_on)).toEqual([null, null, null, null, '2026-03-09'])
  expect(actions).toEqual([
    'claim_discount_10off',
    'join_waitlist_product_123',
    'change_to_quarterly',
    'register_webinar_march',
  ])
})

it("contains image paths relative to the shop's public URL", () => {
  expect(products.map(({ images }) => images)).toEqual([
    ['/images/test_12345.svg'],
    ['/images/test_67890.svg'],
    ['/images/test_54321.svg'],
    ['/images/test_00000.svg'],
  ])
})
