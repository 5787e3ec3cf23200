import { readShopData, type ShopData, type SubscriptionData } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { today } from '../given.ts'

const tea = { id: 'tea', title: 'Tea', price: 4.5, images: [] }
const sub = { id: 'sub', next_billing_date: today }

/** Creates data with one customer. */
const customersWith = (...subscriptions: SubscriptionData[]) => [{ email: 'a@example.com', subscriptions }]

const ten = { code: 'TEN', discount_type: 'percentage', discount_percentage: 10 }
const characters = '1–255 characters, without control characters'
const subscribed = (values: object) => ({
  customers: [{ email: 'a@example.com', subscriptions: [{ ...sub, ...values }] }],
})

const read = (data: ShopData) => readShopData(data, 'USD')

/** Returns the problems listed in the Error for invalid data. */
function problemsOf(data: ShopData): readonly string[] {
  try {
    readShopData(data, 'USD')
  } catch (error) {
    return error instanceof Error ? error.message.split('\n  ').slice(1) : []
  }
  return []
}

describe('readShopData', () => {
  it('adds default values for omitted fields', () => {
    const { products, discounts, accounts, actions } = read({
      products: [tea],
      discounts: [{ code: ' TEN ', discount_type: 'percentage', discount_percentage: 10 }],
      customers: customersWith({ ...sub, items: [{ id: 'item', product_id: 'tea' }] }),
    })
    expect(products).toEqual([
      {
        id: 'tea',
        title: 'Tea',
        price_minor: 450,
        compare_at_price_minor: null,
        images: [],
        description: null,
        available: true,
      },
    ])
    expect(discounts).toEqual([
      { code: 'TEN', kind: 'percentage', percentage: 10, expires_on: null, max_uses: null, uses: 0 },
    ])
    expect(accounts).toEqual([
      {
        email: 'a@example.com',
        subscriptions: [
          {
            id: 'sub',
            title: 'Every month',
            status: 'active',
            interval: { unit: 'month', count: 1 },
            next_billing_date: today,
            cancelled_on: null,
            anchor_day: null,
            skipped: [],
            items: [{ id: 'item', product_id: 'tea', quantity: 1, price_minor: 450, one_time: false }],
            shipping_minor: 0,
            order_discount_minor: 0,
            tax_rate: 0,
          },
        ],
        adds: [],
        discount_uses: [],
        orders: [],
        last_sent_on: null,
        last_sent_at: null,
        recommended: [],
      },
    ])
    expect(actions).toEqual([])
  })

  it('derives the title of a subscription from its interval', () => {
    const { accounts } = read({
      customers: customersWith(
        { ...sub, id: 'a', interval: { unit: 'week', count: 6 } },
        { ...sub, id: 'b', interval: { unit: 'day', count: 1 } },
      ),
    })
    expect(accounts[0]?.subscriptions.map(({ title }) => title)).toEqual(['Every 6 weeks', 'Every day'])
  })
})

it('treats null as absent, rounds half up, and names a missing list of images', () => {
  const untidy = JSON.parse(JSON.stringify({ ...tea, compare_at_price: null, description: null, available: null }))
  expect(readShopData({ products: [untidy] }, 'USD')).toEqual(
    readShopData({ products: [{ id: tea.id, title: tea.title, price: tea.price, images: tea.images }] }, 'USD'),
  )
  expect(() => readShopData({ products: [{ ...untidy, images: null }] }, 'USD')).toThrow(TypeError)
  expect(() => readShopData({ products: [{ ...untidy, images: 'a.jpg' }] }, 'USD')).toThrow(
    'products[0].images: must be a list',
  )
})

describe('readShopData with invalid data', () => {
  it('rejects products with invalid fields or duplicate ids', () => {
    const products = [
      tea,
      { ...tea, title: '', price: -1, images: ['javascript:alert(1)'] },
      { ...tea, id: 'b', price: 1.005 },
    ]
    expect(problemsOf({ products })).toEqual([
      'products[1].title: must not be empty',
      'products[1].price: must not be negative',
      'products[1].images.0: must be an http(s) URL without credentials',
      'products[1].id: is the same as products[0].id',
      'products[1].price: must be an amount from 0 to 1,000,000,000 with at most 2 decimals',
      'products[2].price: must be an amount from 0 to 1,000,000,000 with at most 2 decimals',
    ])
  })

  it('rejects product ids that cannot be used in item ids', () => {
    const products = ['tea~once', 'x'.repeat(251), 'x'.repeat(250), '~once more'].map((id) => ({ ...tea, id }))
    expect(problemsOf({ products })).toEqual([
      'products[0].id: must not end in ~once, which marks one-time items',
      'products[1].id: must be at most 250 characters',
    ])
  })

  it('rejects two items with the same product and kind in one subscription', () => {
    const items = [
      { id: 'a', product_id: 'tea' },
      { id: 'b', product_id: 'tea', one_time: true },
      { id: 'c', product_id: 'tea', one_time: false },
      { id: 'd', product_id: 'tea', one_time: true },
    ]
    expect(problemsOf({ products: [tea], customers: customersWith({ ...sub, items }) })).toEqual([
      'customers[0].subscriptions[0].items[2]: has the same product and kind as items[0]',
      'customers[0].subscriptions[0].items[3]: has the same product and kind as items[1]',
    ])
  })

  it('rejects invalid discounts', () => {
    expect(
      problemsOf({
        discounts: [
          { code: 'A', discount_type: 'percentage', discount_percentage: 101 },
          { code: ' a', discount_type: 'fixed_amount', discount_amount: 0 },
          {
            code: ' ',
            discount_type: 'fixed_amount',
            discount_amount: 5,
            expires_on: '2026-02-30',
            max_uses: -1,
            uses: 0.5,
          },
        ],
      }),
    ).toEqual([
      'discounts[0].discount_percentage: must be at most 100',
      'discounts[1].discount_amount: must be more than 0',
      'discounts[1].code: is the same as discounts[0].code',
      'discounts[2].code: must be a string of 1–255 characters, without control characters',
      'discounts[2].expires_on: must be a date that exists, in the form YYYY-MM-DD',
      'discounts[2].max_uses: must be a whole number, 0 or more',
      'discounts[2].uses: must be a whole number, 0 or more',
    ])
  })

  it('rejects duplicate emails without quoting them in the error', () => {
    const problems = problemsOf({
      customers: [{ email: 'A@example.com' }, { email: 'a@EXAMPLE.com' }, { email: 'nobody' }],
    })
    expect(problems).toEqual([
      'customers[1].email: is the same as customers[0].email',
      'customers[2].email: must be an email address',
    ])
  })

  it('rejects references to unknown products', () => {
    const items = [{ id: 'item', product_id: 'coffee' }]
    const customers = [{ email: 'a@example.com', recommended: ['tea', 'cake'], subscriptions: [{ ...sub, items }] }]
    expect(problemsOf({ products: [tea], customers })).toEqual([
      'customers[0].recommended[1]: no product has the id "cake"',
      'customers[0].subscriptions[0].items[0].product_id: no product has the id "coffee"',
    ])
  })

  it('rejects subscription ids and item ids that two customers share', () => {
    const subscriptions = [{ ...sub, items: [{ id: 'item', product_id: 'tea' }] }]
    const customers = ['a@example.com', 'b@example.com'].map((email) => ({ email, subscriptions }))
    expect(problemsOf({ products: [tea], customers })).toEqual([
      'customers[1].subscriptions[0].id: is the same as customers[0].subscriptions[0].id',
      'customers[1].subscriptions[0].items[0].id: is the same as customers[0].subscriptions[0].items[0].id',
    ])
  })

  it('rejects invalid subscriptions', () => {
    const subscriptions = [
      { id: '' },
      { id: 'b', next_billing_date: '2026-02-30', cancelled_on: 'yesterday' },
      {
        ...sub,
        interval: { unit: 'year', count: 1.5 },
        shipping_total_cost: -1,
        order_discount_total: 0.001,
        items: [{ id: '', product_id: 'tea', quantity: 0, price: -1 }],
      },
    ]
    const customers = [{ email: 'a@example.com', subscriptions }]
    expect(problemsOf(JSON.parse(JSON.stringify({ products: [tea], customers })))).toEqual([
      'customers[0].subscriptions[0].id: must be an id of 1–255 characters, without control characters',
      'customers[0].subscriptions[0]: must have exactly one of next_billing_date (active), cancelled_on (cancelled) and paused: true',
      'customers[0].subscriptions[1]: must have exactly one of next_billing_date (active), cancelled_on (cancelled) and paused: true',
      'customers[0].subscriptions[1].next_billing_date: must be a date that exists, in the form YYYY-MM-DD',
      'customers[0].subscriptions[1].cancelled_on: must be a date that exists, in the form YYYY-MM-DD',
      'customers[0].subscriptions[2].interval.unit: must be day, week or month',
      'customers[0].subscriptions[2].interval.count: must be a whole number from 1 to 999',
      'customers[0].subscriptions[2].shipping_total_cost of subscription sub: must be an amount from 0 to 1,000,000,000 with at most 2 decimals',
      'customers[0].subscriptions[2].order_discount_total of subscription sub: must be an amount from 0 to 1,000,000,000 with at most 2 decimals',
      'customers[0].subscriptions[2].items[0].id: must be an id of 1–255 characters, without control characters',
      'customers[0].subscriptions[2].items[0].quantity: must be a whole number, 1 or more',
      'customers[0].subscriptions[2].items[0].price: must be an amount from 0 to 1,000,000,000 with at most 2 decimals',
    ])
  })

  it('rejects invalid tax rates and empty action ids', () => {
    const rates = [Number.NaN, 8, 1, -0.01]
    const subscriptions = rates.map((customer_tax_rate, at) => ({ ...sub, id: `sub${at}`, customer_tax_rate }))
    expect(problemsOf({ customers: customersWith(...subscriptions), actions: ['fine', ''] })).toEqual([
      ...rates.map(
        (_, at) =>
          `customers[0].subscriptions[${at}].customer_tax_rate of subscription sub${at}: must be at least 0 and below 1: 0.08 means 8 %`,
      ),
      'actions[1]: must be an id of 1–255 characters, without control characters',
    ])
  })
  it.each<[data: object, problem: string]>([
    [{ products: {} }, 'products: must be a list'],
    [{ products: [null] }, 'products[0]: must be an object'],
    [{ products: ['tea'] }, 'products[0]: must be an object'],
    [{ products: [{ ...tea, id: 506020000000 }] }, 'products[0].id: must be a string'],
    [{ products: [{ ...tea, id: null }] }, 'products[0].id: must be a string'],
    [{ discounts: [null] }, 'discounts[0]: must be an object'],
    [{ discounts: [{ ...ten, code: null }] }, `discounts[0].code: must be a string of ${characters}`],
    [{ discounts: [{ ...ten, code: 10 }] }, `discounts[0].code: must be a string of ${characters}`],
    [{ discounts: [{ ...ten, code: 'TEN\u0000' }] }, `discounts[0].code: must be a string of ${characters}`],
    [{ customers: 'a@example.com' }, 'customers: must be a list'],
    [{ customers: [{}] }, 'customers[0].email: must be an email address'],
    [{ customers: [{ email: 5 }] }, 'customers[0].email: must be an email address'],
    [{ customers: [{ email: 'a@example.com', recommended: 'tea' }] }, 'customers[0].recommended: must be a list'],
    [
      { customers: [{ email: 'a@example.com', subscriptions: [null] }] },
      'customers[0].subscriptions[0]: must be an object',
    ],
    [subscribed({ id: 'sub\uD83D' }), `customers[0].subscriptions[0].id: must be an id of ${characters}`],
    [subscribed({ title: '' }), 'customers[0].subscriptions[0].title: must be a string that is not empty'],
    [subscribed({ title: 5 }), 'customers[0].subscriptions[0].title: must be a string that is not empty'],
    [subscribed({ skipped: today }), 'customers[0].subscriptions[0].skipped: must be a list'],
    [subscribed({ items: {} }), 'customers[0].subscriptions[0].items: must be a list'],
    [subscribed({ items: [null] }), 'customers[0].subscriptions[0].items[0]: must be an object'],
    [
      subscribed({ items: [{ id: 'item', product_id: 'tea', one_time: 0 }] }),
      'customers[0].subscriptions[0].items[0].one_time: must be true or false',
    ],
    [{ actions: {} }, 'actions: must be a list'],
    [{ actions: ['a\n'] }, `actions[0]: must be an id of ${characters}`],
  ])('rejects a value of a wrong type: %j', (data, problem) => {
    expect(problemsOf(JSON.parse(JSON.stringify({ products: [tea], ...data })))).toEqual([problem])
  })
})
