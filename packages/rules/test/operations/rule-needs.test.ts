import type { ChangeName, CustomerAccount, Rule, Subscription } from '@storeport/rules'
import { allRules, bindRules } from '@storeport/rules'
import type { InputOf } from '@storeport/core'
import { describe, expect, it } from 'vitest'
import { currentSubscription, soonest } from '../../src/account/subscriptions.ts'
import { add, customer, type Given, inTurn, seeded, swap } from '../given.ts'

const bound = bindRules()
const parts = ['subscriptions', 'adds', 'discount_uses', 'orders', 'recommended'] as const

/** Creates a customer with three subscriptions, additions with discount codes, and one-off orders. */
function busy(): Given {
  const { account, shop } = seeded('another@example.com')
  const later = { ...currentSubscription(account, shop), id: 'sub_later', next_billing_date: '2027-01-01', items: [] }
  const ordered = allRules.addProduct(
    { ...account, subscriptions: [] },
    add('test_12345', { discount_code: 'TEST10' }),
    shop,
  )
  const everything = inTurn(
    { ...ordered, subscriptions: [...account.subscriptions, later], recommended: ['test_12345', 'test_67890'] },
    (before) => allRules.addProduct(before, add('test_67890', { discount_code: 'TEST20' }), shop),
    (before) => allRules.addProduct(before, add('test_54321', { one_time: true, discount_code: 'FIVEOFF' }), shop),
  )
  return { account: everything, shop }
}

describe('account parts that a rule declares', () => {
  it.each<[string, () => void]>([
    ['addProduct with a new item', change('addProduct', add('test_12345', { discount_code: 'TEST10' }))],
    ['addProduct with an existing item', change('addProduct', add('test_67890'))],
    [
      'addProduct as a one-off order',
      change('addProduct', add('test_12345', { discount_code: 'TEST10' }), withoutSubscription),
    ],
    ['undoAddProduct in a subscription', change('undoAddProduct', { ...customer, product_id: 'test_67890' })],
    ['undoAddProduct of a one-off order', change('undoAddProduct', { ...customer, product_id: 'test_12345' })],
    ['sendNow', change('sendNow', customer)],
    ['delaySubscription', change('delaySubscription', { ...customer, new_date: '2026-04-10' })],
    ['swapProduct', change('swapProduct', swap('test_67890', 'test_12345', 'TEST10'))],
    ['swapProduct into an existing item', change('swapProduct', swap('test_67890', 'test_54321'))],
    ['reactivateSubscription', change('reactivateSubscription', { ...customer, subscription_id: 'sub_3002' })],
  ])('are sufficient for %s', (_, compare) => compare())
})

function withoutSubscription(account: CustomerAccount): CustomerAccount {
  return { ...account, subscriptions: [] }
}

/**
 * Returns a test that calls a rule twice, with the whole account and with only the parts that the rule uses. Both
 * results must be equal.
 */
function change<Name extends ChangeName>(
  name: Name,
  input: InputOf<Name>,
  prepare: (account: CustomerAccount) => CustomerAccount = (account) => account,
) {
  return () => {
    const needs: ReadonlySet<string> = new Set(allRules[name].uses)
    const run = (isWhole: boolean) => {
      const { account, shop } = busy()
      const before = prepare(account)
      const given: Record<string, unknown> = { ...before }
      for (const part of parts) if (!isWhole && !needs.has(part)) given[part] = []
      if (!isWhole) given['subscriptions'] = before.subscriptions.filter((each) => isNeeded(name, input, before, each))
      if (!isWhole && !needs.has('last_sent_on')) Object.assign(given, { last_sent_on: null, last_sent_at: null })
      const { product_id } = bound[name].named(input)
      const product = (id: string) =>
        isWhole || needs.has('products') || id === product_id ? shop.product(id) : undefined
      // oxlint-disable-next-line typescript/consistent-type-assertions -- the rule belongs to the name
      const rule = allRules[name] as Rule<CustomerAccount, InputOf<Name>, CustomerAccount>
      // oxlint-disable-next-line typescript/consistent-type-assertions -- only lists became empty
      return { before, after: rule(given as unknown as CustomerAccount, input, { ...shop, product }) }
    }
    const whole = run(true)
    const { before, after: seen } = run(false)
    // Adds the omitted subscriptions, which the rule does not change.
    const subscriptions = before.subscriptions.map((had) => seen.subscriptions.find(({ id }) => id === had.id) ?? had)
    const after = { ...seen, subscriptions }
    expect(seen.subscriptions.length).toBeLessThan(Math.max(1, before.subscriptions.length))
    expect(whole.after).not.toEqual(whole.before)
    for (const part of parts) {
      const stays: readonly unknown[] = needs.has(part) ? [] : whole.before[part]
      expect([part, [...stays, ...after[part]]]).toEqual([part, whole.after[part]])
    }
    expect({ ...after, ...whole.before }).toEqual({ ...whole.after, ...whole.before })
    expect([after.last_sent_on, after.last_sent_at]).toEqual([whole.after.last_sent_on, whole.after.last_sent_at])
  }
}

/** Returns whether a rule requires the given subscription. */
function isNeeded<Name extends ChangeName>(
  name: Name,
  input: InputOf<Name>,
  { subscriptions, adds }: CustomerAccount,
  { id, status }: Subscription,
): boolean {
  const isOf = {
    current: soonest(subscriptions)?.id === id,
    cancelled: status === 'cancelled',
    added: adds.some((made) => made.subscription_id === id),
    named: bound[name].named(input).subscription_id === id,
  }
  return allRules[name].subscriptions.some((need) => isOf[need])
}
