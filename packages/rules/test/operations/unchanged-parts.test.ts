import {
  addProduct,
  billDue,
  type CustomerAccount,
  delaySubscription,
  reactivateSubscription,
  sendNow,
  type Shop,
  swapProduct,
  undoAddProduct,
} from '@storeport/rules'
import { expect, it } from 'vitest'
import { add, customer, formerSubscriber, subscriber, swap, undo } from '../given.ts'

/** Functions that return a part of an account. The keys are the names of the parts in failure messages. */
const parts = {
  'the first subscription': ({ subscriptions }: CustomerAccount) => subscriptions[0],
  'the second subscription': ({ subscriptions }: CustomerAccount) => subscriptions[1],
  'the items of the first subscription': ({ subscriptions }: CustomerAccount) => subscriptions[0]?.items,
  'the first item': ({ subscriptions }: CustomerAccount) => subscriptions[0]?.items[0],
  'the second item': ({ subscriptions }: CustomerAccount) => subscriptions[0]?.items[1],
  'the items of the second subscription': ({ subscriptions }: CustomerAccount) => subscriptions[1]?.items,
  adds: ({ adds }: CustomerAccount) => adds,
  'uses of codes': ({ discount_uses }: CustomerAccount) => discount_uses,
  orders: ({ orders }: CustomerAccount) => orders,
  recommendations: ({ recommended }: CustomerAccount) => recommended,
}

type Part = keyof typeof parts
const rest = ['adds', 'uses of codes', 'orders', 'recommendations'] as const
const without = (...changed: readonly Part[]) => rest.filter((part) => !changed.includes(part))
const { account, shop } = subscriber()
const added = addProduct(account, add('test_12345'), shop)
const former = formerSubscriber()
const onDueDay: Shop = { ...shop, today: '2026-03-24' }

// A store saves only parts that are new objects, so unchanged parts must be the same objects.
it.each<[string, before: CustomerAccount, after: CustomerAccount, unchanged: readonly Part[]]>([
  [
    'addProduct',
    account,
    addProduct(account, add('test_67890'), shop),
    ['the first item', 'the second subscription', ...without('adds')],
  ],
  [
    'undoAddProduct',
    added,
    undoAddProduct(added, undo('test_12345'), shop),
    ['the second item', 'the second subscription', ...without('adds')],
  ],
  [
    'sendNow',
    account,
    sendNow(account, customer, shop),
    ['the items of the first subscription', 'the second subscription', ...without('orders', 'uses of codes')],
  ],
  [
    'billDue',
    account,
    billDue(account, onDueDay),
    ['the items of the first subscription', 'the second subscription', ...without('orders', 'uses of codes')],
  ],
  [
    'delaySubscription',
    account,
    delaySubscription(account, { ...customer, new_date: '2026-03-25' }, shop),
    ['the items of the first subscription', 'the second subscription', ...rest],
  ],
  [
    'swapProduct',
    account,
    swapProduct(account, swap('test_12345', 'test_54321'), shop),
    ['the second item', 'the second subscription', ...rest],
  ],
  [
    'reactivateSubscription',
    former.account,
    reactivateSubscription(former.account, { ...customer, subscription_id: 'sub_2002' }, former.shop),
    ['the first subscription', 'the items of the second subscription', ...rest],
  ],
])('%s returns the same object for every unchanged part', (_, before, after, unchanged) => {
  for (const part of unchanged) expect(parts[part](after), part).toBe(parts[part](before))
  expect(after).not.toBe(before)
})
