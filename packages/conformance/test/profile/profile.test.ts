import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod/mini'
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

  it('rejects an unknown field and a value of the wrong type, also if the process has zod messages', () => {
    const { localeError } = z.config()
    onTestFinished(() => void z.config({ localeError }))
    z.config(z.locales.en())
    expect(() => parseProfile({ customer: {} })).toThrow(new TypeError('profile: must not contain customer'))
    expect(() => parseProfile({ maxQuantity: '9' })).toThrow('profile.maxQuantity: must be a number')
    expect(() => parseProfile(null)).toThrow(new TypeError('profile: must be an object'))
  })
})
