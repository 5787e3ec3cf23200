import type { InputOf } from '@storeport/core'
import { addDays, seed } from '@storeport/rules'
import type { ShopData } from '@storeport/rules'
import fc from 'fast-check'

/** One operation of a sequence. `runSequence` replaces `days` with a date, and `place` with the item at this index. */
export type Step =
  | { readonly call: 'addProduct'; readonly input: InputOf<'addProduct'> }
  | { readonly call: 'undoAddProduct'; readonly input: InputOf<'undoAddProduct'> }
  | { readonly call: 'sendNow'; readonly input: InputOf<'sendNow'> }
  | { readonly call: 'delaySubscription'; readonly email: string; readonly days: number }
  | {
      readonly call: 'swapProduct'
      readonly email: string
      readonly place: number
      readonly ofEmail: string
      readonly to: Swap
    }
  | { readonly call: 'reactivateSubscription'; readonly input: InputOf<'reactivateSubscription'> }
  | { readonly call: 'runCustomAction'; readonly input: InputOf<'runCustomAction'> }
  | { readonly call: 'passDays'; readonly days: number }

type Swap = Pick<InputOf<'swapProduct'>, 'new_product_id' | 'discount_code'>

/**
 * Returns the seed with skipped dates, an anchor day, a paused subscription, and a product with a limited quantity.
 * Adds three discount codes: one with a usage limit, one with an expiry date, and one with a huge amount.
 */
export function sequenceData(today: string): ShopData {
  const data = seed(today)
  return {
    ...data,
    products: data.products.map((one) => (one.id === 'test_54321' ? { ...one, available: 7 } : one)),
    discounts: [
      ...data.discounts,
      { code: 'TWICE', discount_type: 'percentage', discount_percentage: 33.3333, max_uses: 2 },
      { code: 'SOON', discount_type: 'fixed_amount', discount_amount: 2.5, expires_on: addDays(today, 10) },
      { code: 'HUGE', discount_type: 'fixed_amount', discount_amount: 99_999 },
    ],
    customers: data.customers.map(({ subscriptions = [], ...customer }) => ({
      ...customer,
      subscriptions: [
        ...subscriptions.map((one) =>
          one.id === 'sub_1002' && one.next_billing_date !== undefined
            ? { ...one, anchor_day: 31, skipped: [one.next_billing_date, addDays(today, 91)] }
            : one,
        ),
        ...(customer.email === 'another@example.com' ? [pausedSubscription] : []),
      ],
    })),
  }
}

const pausedSubscription = {
  id: 'sub_paused',
  paused: true,
  items: [{ id: 'item_paused', product_id: 'test_12345' }],
} as const

/** Emails of the customers in sequences. The last customer does not exist in the shop. */
export const customers = [
  'subscription@example.com',
  'another@example.com',
  'cancelled@example.com',
  'test@example.com',
  'nobody@example.com',
] as const

const anyEmail = fc.oneof(
  { weight: 10, arbitrary: fc.constant('subscription@example.com') },
  { weight: 4, arbitrary: fc.constantFrom('another@example.com', 'cancelled@example.com') },
  { weight: 2, arbitrary: fc.constant('test@example.com') },
  { weight: 1, arbitrary: fc.constantFrom('nobody@example.com', 'SUBSCRIPTION@example.com', 'Another@Example.com') },
)
const anyProduct = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('test_12345', 'test_67890', 'test_54321') },
  { weight: 1, arbitrary: fc.constantFrom('test_00000', 'test_99999', '__proto__') },
)
const anyCode = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('TEST10', 'test20', ' FIVEOFF ', 'TWICE', 'SOON') },
  { weight: 1, arbitrary: fc.constantFrom('HUGE', 'EXPIRED5', 'NOSUCHCODE', 'constructor') },
)
const maybeCode = fc.option(fc.record({ discount_code: anyCode }), { nil: {}, freq: 2 })
const anyCancelled = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { email: 'cancelled@example.com', subscription_id: 'sub_2003' },
      { email: 'cancelled@example.com', subscription_id: 'sub_2002' },
      { email: 'another@example.com', subscription_id: 'sub_3002' },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      email: anyEmail,
      subscription_id: fc.constantFrom(
        'sub_1001',
        'sub_2001',
        'sub_2003',
        'sub_3001',
        'sub_3002',
        'sub_paused',
        'sub_9999',
      ),
    }),
  },
)

const anyAdd: fc.Arbitrary<InputOf<'addProduct'>> = fc
  .tuple(
    fc.record({
      email: anyEmail,
      product_id: anyProduct,
      quantity: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.integer({ min: 400, max: 1000 })),
      one_time: fc.boolean(),
    }),
    maybeCode,
  )
  .map(([input, code]) => ({ ...input, ...code }))

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: anyAdd.map((input): Step => ({ call: 'addProduct', input })) },
  {
    weight: 5,
    arbitrary: fc
      .record({ email: anyEmail, product_id: anyProduct })
      .map((input): Step => ({ call: 'undoAddProduct', input })),
  },
  { weight: 2, arbitrary: anyEmail.map((email): Step => ({ call: 'sendNow', input: { email } })) },
  {
    weight: 2,
    arbitrary: fc.record({
      call: fc.constant('delaySubscription'),
      email: anyEmail,
      days: fc.oneof(
        { weight: 1, arbitrary: fc.integer({ min: -2, max: 10 }) },
        { weight: 2, arbitrary: fc.integer({ min: 10, max: 60 }) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: anyEmail.chain((email) =>
      fc.record({
        call: fc.constant('swapProduct'),
        email: fc.constant(email),
        ofEmail: fc.oneof({ weight: 9, arbitrary: fc.constant(email) }, { weight: 1, arbitrary: anyEmail }),
        place: fc.nat({ max: 3 }),
        to: fc.tuple(anyProduct, maybeCode).map(([new_product_id, code]) => ({ new_product_id, ...code })),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyCancelled, maybeCode)
      .map(([input, code]): Step => ({ call: 'reactivateSubscription', input: { ...input, ...code } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        email: anyEmail,
        action_id: fc.constantFrom('change_to_quarterly', 'nothing', '__proto__', 'toString'),
      })
      .map((input): Step => ({ call: 'runCustomAction', input })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      call: fc.constant('passDays'),
      days: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) }, fc.integer({ min: 21, max: 150 })),
    }),
  },
)

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(anyStep, { minLength: 1, maxLength: 40, size: 'max' })

/**
 * A sequence in which every operation succeeds once. Complements the random sequences, which might omit an operation.
 */
export const everyOperation: readonly Step[] = [
  { call: 'addProduct', input: { email: 'test@example.com', product_id: 'test_12345', quantity: 2, one_time: false } },
  { call: 'undoAddProduct', input: { email: 'test@example.com', product_id: 'test_12345' } },
  { call: 'delaySubscription', email: 'subscription@example.com', days: 20 },
  {
    call: 'swapProduct',
    email: 'another@example.com',
    ofEmail: 'another@example.com',
    place: 0,
    to: { new_product_id: 'test_12345' },
  },
  { call: 'reactivateSubscription', input: { email: 'cancelled@example.com', subscription_id: 'sub_2003' } },
  { call: 'runCustomAction', input: { email: 'test@example.com', action_id: 'change_to_quarterly' } },
  { call: 'passDays', days: 3 },
  { call: 'sendNow', input: { email: 'subscription@example.com' } },
]
