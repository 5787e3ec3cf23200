import { sendNow } from '@storeport/rules'
import type { CustomerAccount, Shop } from '@storeport/rules'
import { expect, it } from 'vitest'
import { customer, given, inTurn, codeOf, productWith, subscriber } from '../given.ts'

const sending = (shop: Shop) => (account: CustomerAccount) => sendNow(account, customer, shop)

it('rejects a second order within an hour, even after midnight or after the clock is set back', () => {
  const { account, shop } = subscriber()
  const midnight = Date.UTC(2026, 2, 11)
  const at = (day: string, now: number) => ({ ...shop, today: day, now })
  const sent = inTurn(account, sending(at('2026-03-10', midnight - 60_000)))
  const refused = [at('2026-03-11', midnight + 3_539_999), at('2026-03-09', midnight - 86_400_000)]
  for (const later of refused) expect(codeOf(() => sendNow(sent, customer, later))).toBe('order_already_processing')
  expect(inTurn(sent, sending(at('2026-03-11', midnight + 3_540_000))).orders).toHaveLength(2)
})

it('rejects a subscription without items', () => {
  const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01' }] })
  expect(codeOf(() => sendNow(account, customer, shop))).toBe('order_not_processable')
})

it.each([
  ['every recurring item', ['test_12345', 'test_54321'], ['test_12345', 'test_54321'], 'order_not_processable'],
  ['one of two recurring items', ['test_12345', 'test_54321'], ['test_12345'], 'done'],
])('looks at the stock of recurring items: %s is sold out', (_name, ids, sold, outcome) => {
  const items = [...ids, 'test_67890'].map((product_id, at) => ({ id: `i${at}`, product_id, one_time: at === 2 }))
  const { account, shop } = given({ subscriptions: [{ id: 'sub', next_billing_date: '2026-04-01', items }] })
  const product = (id: string) => productWith({ id, available: !sold.includes(id) })
  expect(codeOf(() => sendNow(account, customer, { ...shop, product })) ?? 'done').toBe(outcome)
})
