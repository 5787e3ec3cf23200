import { describe, expect, it } from 'vitest'
import { intervalBetween } from '../../src/cli/check-shop.ts'
import { parseProfile } from '../../src/index.ts'

describe('parseProfile', () => {
  it('adds the default values', () => {
    expect(parseProfile({})).toEqual({
      customers: { unknown: 'nobody.at.all@example.com' },
      products: { listed: [], unknown: 'no-such-product' },
      subscriptions: { unknown: 'no-such-subscription' },
      discounts: { unknown: 'NO-SUCH-CODE' },
      actions: { unknown: 'no-such-action' },
      refusals: [],
      maxQuantity: 1000,
      currency: 'USD',
      timeZone: 'Etc/UTC',
    })
  })

  it('names the invalid fields in the error', () => {
    const wrong = {
      customers: { subscribed: '' },
      currency: 'usd',
      timeZone: 'Mars/Olympus',
      today: '2026-02-30',
      refusals: [{ call: 'buy', input: {}, code: 'nope' }],
    }
    expect(() => parseProfile(wrong)).toThrow(
      [
        'profile.customers.subscribed: must not be empty',
        'profile.refusals.0.call: must be the name of an endpoint',
        'profile.refusals.0.code: must be an error code of the contract',
        'profile.currency: must be an ISO 4217 code in capital letters, such as USD',
        'profile.timeZone: must be an IANA time zone name, such as Europe/Paris',
        'profile.today: must be a date in the form YYYY-MM-DD',
      ].join('\n'),
    )
  })

  it('rejects an unknown field and a value of the wrong type', () => {
    expect(() => parseProfile({ customer: {} })).toThrow(new TypeError('profile: must not contain customer'))
    expect(() => parseProfile({ maxQuantity: '9' })).toThrow('profile.maxQuantity: must be a number')
    expect(() => parseProfile(null)).toThrow(new TypeError('profile: must be an object'))
  })
})

it.each([
  ['2026-11-22', '2026-12-22', { months: 1 }],
  ['2026-01-31', '2026-03-31', { months: 2 }],
  ['2024-01-31', '2024-02-29', { months: 1 }],
  ['2026-11-22', '2026-11-29', { weeks: 1 }],
  ['2026-11-22', '2027-01-03', { weeks: 6 }],
  // Ambiguous, because one month and four weeks end on the same date.
  ['2026-02-10', '2026-03-10', undefined],
  ['2026-11-22', '2026-12-02', undefined],
  ['2026-11-22', '2026-11-22', undefined],
  ['2026-11-22', '2026-10-22', undefined],
])('detects the billing interval from %s to %s: %j', (from, to, interval) => {
  expect(intervalBetween(from, to)).toEqual(interval)
})
