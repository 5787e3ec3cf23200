import { delaySubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
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
