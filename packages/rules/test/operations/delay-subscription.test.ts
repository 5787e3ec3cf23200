import { createIntegration, StoreError, type StorePort } from '@storeport/core'
import { bindRules, type CustomerAccount, delaySubscription } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { customer, given, codeOf } from '../given.ts'

const to = (new_date: string) => ({ ...customer, new_date })

it.each(['2026-03-01', '2026-03-10'])(
  'requires a date of tomorrow or later if billing was due on %s',
  (next_billing_date) => {
    const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date }] })
    expect(codeOf(() => delaySubscription(account, to('2026-03-10'), shop))).toBe('invalid_date')
    expect(delaySubscription(account, to('2026-03-11'), shop).subscriptions[0]?.next_billing_date).toBe('2026-03-11')
  },
)

describe('a delay with an unknown outcome, of a customer with two subscriptions', () => {
  const subscriptions = ['2026-04-01', '2026-04-20'].map((next_billing_date) => ({
    id: next_billing_date,
    next_billing_date,
  }))
  const dates = (account: CustomerAccount) => account.subscriptions.map(({ next_billing_date }) => next_billing_date)

  it('would move the second subscription if it ran again', () => {
    const { account, shop } = given({ subscriptions })
    const once = delaySubscription(account, to('2026-05-01'), shop)
    expect(dates(once)).toEqual(['2026-05-01', '2026-04-20'])
    expect(dates(delaySubscription(once, to('2026-05-01'), shop))).toEqual(['2026-05-01', '2026-05-01'])
  })

  it('does not run again in a store without promises', async () => {
    const { account, shop } = given({ subscriptions })
    let saved = account
    const store: StorePort = {
      delaySubscription: async (input) => {
        saved = bindRules().delaySubscription(saved, input, shop)
        throw new StoreError('upstream_error')
      },
    }
    const { fetch } = createIntegration({ store, apiKeys: ['a-key-of-the-tests-0001'], onError: () => {} })
    const delay = async () => {
      const headers = { 'x-integration-api-key': 'a-key-of-the-tests-0001', 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify(to('2026-05-01')) }
      const response = await fetch(new Request('https://shop.example/integration/customer-portal/delay', request))
      return [response.status, response.headers.get('retry-after')]
    }
    expect(await delay()).toEqual([502, null])
    expect(await delay()).toEqual([503, '30'])
    expect(dates(saved)).toEqual(['2026-05-01', '2026-04-20'])
  })
})
