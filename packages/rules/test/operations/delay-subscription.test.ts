import { delaySubscription } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, codeOf, subscriber } from '../given.ts'

const to = (new_date: string) => ({ ...customer, new_date })

it("changes only the current subscription's next billing date", () => {
  const { account, shop } = subscriber()
  const after = delaySubscription(account, to('2026-03-25'), shop)
  const [current, other] = account.subscriptions
  expect(after).toEqual({ ...account, subscriptions: [{ ...current, next_billing_date: '2026-03-25' }, other] })
})

it('accepts the current billing date and changes nothing', () => {
  const { account, shop } = subscriber()
  expect(delaySubscription(account, to('2026-03-24'), shop)).toBe(account)
})

it.each(['2026-03-23', '2026-03-11', '2026-03-10', '2026-03-09', '2025-12-31'])('rejects the date %s', (date) => {
  const { account, shop } = subscriber()
  expect(codeOf(() => delaySubscription(account, to(date), shop))).toBe('invalid_date')
})

it.each(['2026-03-01', '2026-03-10'])(
  'requires a date of tomorrow or later if billing was due on %s',
  (next_billing_date) => {
    const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date }] })
    expect(codeOf(() => delaySubscription(account, to('2026-03-10'), shop))).toBe('invalid_date')
    expect(delaySubscription(account, to('2026-03-11'), shop).subscriptions[0]?.next_billing_date).toBe('2026-03-11')
  },
)
