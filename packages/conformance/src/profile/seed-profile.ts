import { minorUnitDigits } from '@storeport/core'
import { parseProfile, type Profile } from './profile.ts'

/** Profile for the seed data of the reference host and the built-in stores. */
export const seedProfile: Profile = createSeedProfile('USD')

/**
 * Creates the seed profile in a currency. In a currency with fewer than two decimals, the price 19.95 becomes 1995.
 *
 * Throws TypeError for an unknown currency.
 */
export function createSeedProfile(currency: string): Profile {
  const scale = minorUnitDigits(currency) < 2 ? 100 : 1
  const money = (amount: number) => Math.round(amount * 100) / (100 / scale)
  return parseProfile({
    currency,
    timeZone: 'UTC',
    customers: {
      unknown: 'nobody.at.all@example.com',
      empty: 'test@example.com',
      subscribed: 'subscription@example.com',
      cancelled: 'cancelled@example.com',
      otherCustomer: 'another@example.com',
    },
    products: {
      listed: [
        { id: 'test_12345', price: money(19.95) },
        { id: 'test_67890', price: money(29.95), compare_at_price: money(39.95) },
        { id: 'test_54321', price: money(49.95) },
      ],
      unavailable: 'test_00000',
    },
    recommended: ['test_54321', 'test_12345', 'test_67890'],
    subscriptions: { cancelled: ['sub_2003', 'sub_2002'], tooOld: 'sub_2001', active: 'sub_1001' },
    interval: { months: 1 },
    discounts: {
      percentage: { code: 'TEST10', discount: { discount_type: 'percentage', discount_percentage: 10 } },
      fixed: { code: 'FIVEOFF', discount: { discount_type: 'fixed_amount', discount_amount: money(5) } },
      expired: 'EXPIRED5',
    },
    actions: { known: 'join_waitlist_product_123' },
    refusals: [
      {
        call: 'addProduct',
        input: { email: 'subscription@example.com', product_id: 'test_00000' },
        code: 'product_unavailable',
      },
      {
        call: 'reactivateSubscription',
        input: { email: 'cancelled@example.com', subscription_id: 'sub_2001' },
        code: 'subscription_not_eligible',
      },
      { call: 'getDiscount', input: { discount_code: 'EXPIRED5' }, code: 'discount_not_found' },
    ],
  })
}
