import { readShopData } from '@storeport/rules'
import { expect, it } from 'vitest'
import { today } from '../given.ts'

const tea = { id: 'tea', title: 'Tea', price: 4.5, images: [] }
const sub = { id: 'sub', next_billing_date: today }
const ten = { code: 'TEN', discount_type: 'percentage', discount_percentage: 10 }
const item = { id: 'item', product_id: 'tea' }

/** Returns data with one customer, whose subscriptions have the given values. */
const subscribed = (...values: object[]) => ({
  customers: [{ email: 'a@example.com', subscriptions: values.map((each) => ({ ...sub, ...each })) }],
})

const read = (data: object) => readShopData(Object({ products: [tea], ...data }), 'USD')

it('adds default values, and derives the title of a subscription from its interval', async () => {
  const data = read({
    discounts: [{ ...ten, code: ' TEN ' }],
    ...subscribed(
      { items: [item] },
      { id: 'a', interval: { unit: 'week', count: 6 } },
      { id: 'b', interval: { unit: 'day', count: 1 } },
    ),
  })
  await expect(JSON.stringify(data, null, 2)).toMatchFileSnapshot('defaults.txt')
})

it('treats null as absent', () => {
  const untidy = { ...tea, compare_at_price: null, description: null, available: null }
  expect(read({ products: [untidy] })).toEqual(read({}))
})

const invalid: readonly object[] = [
  { products: [tea, { ...tea, title: '', price: -1, images: ['javascript:alert(1)'] }] },
  { products: [{ ...tea, price: 1.005 }] },
  { products: [{ ...tea, images: null }] },
  { products: [{ ...tea, images: 'a.jpg' }] },
  { products: ['tea~once', 'x'.repeat(251), 'x'.repeat(250), '~once more'].map((id) => ({ ...tea, id })) },
  { products: {} },
  { products: [null] },
  { products: ['tea'] },
  { products: [{ ...tea, id: 506020000000 }] },
  { products: [{ ...tea, id: null }] },
  {
    discounts: [
      { ...ten, discount_percentage: 101, code: 'A' },
      { code: ' a', discount_type: 'fixed_amount', discount_amount: 0 },
      { ...ten, code: ' ', expires_on: '2026-02-30', max_uses: -1, uses: 0.5 },
    ],
  },
  { discounts: [null] },
  { discounts: [{ ...ten, code: null }] },
  { discounts: [{ ...ten, code: 10 }] },
  { discounts: [{ ...ten, code: 'TEN\u0000' }] },
  { customers: 'a@example.com' },
  { customers: [{}] },
  { customers: [{ email: 5 }] },
  { customers: [{ email: 'A@example.com' }, { email: 'a@EXAMPLE.com' }, { email: 'nobody' }] },
  { customers: [{ email: 'a@example.com', recommended: 'tea' }] },
  { customers: [{ email: 'a@example.com', recommended: ['tea', 'cake'] }] },
  { customers: [{ email: 'a@example.com', subscriptions: [null] }] },
  {
    customers: ['a', 'b'].map((name) => ({
      ...subscribed({ items: [item] }).customers[0],
      email: `${name}@b.example`,
    })),
  },
  subscribed({ id: '', next_billing_date: undefined }),
  subscribed({ next_billing_date: '2026-02-30', cancelled_on: 'yesterday' }),
  subscribed({ interval: { unit: 'year', count: 1.5 }, shipping_total_cost: -1, order_discount_total: 0.001 }),
  subscribed({ id: 'sub\uD83D' }),
  subscribed({ title: '' }),
  subscribed({ title: 5 }),
  subscribed({ skipped: today }),
  subscribed(...[Number.NaN, 8, 1, -0.01].map((customer_tax_rate, at) => ({ id: `sub${at}`, customer_tax_rate }))),
  subscribed({ items: {} }),
  subscribed({ items: [null] }),
  subscribed({ items: [{ id: '', product_id: 'tea', quantity: 0, price: -1 }] }),
  subscribed({ items: [{ ...item, one_time: 0 }] }),
  subscribed({ items: [{ ...item, product_id: 'coffee' }] }),
  subscribed({ items: [undefined, true, false, true].map((one_time, at) => ({ ...item, id: `item${at}`, one_time })) }),
  { actions: {} },
  { actions: ['fine', '', 'a\n'] },
]

it('lists each problem of invalid data, without the emails of customers', async () => {
  const problems = invalid.map((data) => {
    try {
      return String(read(data))
    } catch (error) {
      return String(error)
    }
  })
  const text = invalid.map((data, at) => `${JSON.stringify(data)}\n${problems[at]}\n`).join('\n')
  await expect(text).toMatchFileSnapshot('problems.txt')
})
