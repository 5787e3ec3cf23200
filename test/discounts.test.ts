import type { CompleteStorePort } from '@storeport/core'
import type { Order, ShopData } from '@storeport/rules'
import { createMemoryStore } from '@storeport/store-memory'
import { openSqlStore } from '@storeport/store-sql'
import { contextOf, send } from '@storeport/testing/clicks'
import { makeFolder } from '@storeport/testing/make-folder'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/*
 * `discounts.txt` contains random sequences of changes with discount codes. A line is a change and its outcome. After a
 * success, the line also contains the next order with its discount, all orders, and the codes that are used up. An
 * independent model, in which every unit is an object with its codes, calculated the first version.
 */

const today = '2026-03-10'
const email = 'one@example.com'

const percentages = { TEN: 10, SIXTY: 60, THIRD: 33.3333, ONCE: 12.5 }
const prices = { pear: 19.95, plum: 9.99, fig: 0.05, kiwi: 49.95 }

/** Returns a customer with two active and two cancelled subscriptions, or with four cancelled subscriptions. */
function dataOf(isSubscriber: boolean): ShopData {
  const subscription = (id: string, quantities: object, date?: string) => ({
    id,
    interval: { unit: 'day', count: 30 } as const,
    items: Object.entries(quantities).map(([product_id, quantity]) => ({ id: id + product_id, product_id, quantity })),
    ...(date === undefined || !isSubscriber ? { cancelled_on: today } : { next_billing_date: date }),
  })
  const subscriptions = [
    { ...subscription('active', { pear: 2, plum: 1 }, '2026-03-20'), order_discount_total: 1 },
    subscription('empty', {}),
    subscription('later', { kiwi: 1 }, '2026-03-25'),
    subscription('old', { pear: 1, fig: 3 }),
  ]
  return {
    products: Object.entries(prices).map(([id, price]) => ({ id, title: id, price, images: [] })),
    discounts: [
      ...Object.entries(percentages).map(([code, discount_percentage]) => ({
        ...({ code, discount_type: 'percentage', discount_percentage } as const),
        ...(code === 'ONCE' && { max_uses: 1 }),
      })),
      { code: 'FIVE', discount_type: 'fixed_amount', discount_amount: 5 },
      { code: 'TWICE', discount_type: 'fixed_amount', discount_amount: 3.01, max_uses: 2 },
    ],
    customers: [{ email, subscriptions }],
  }
}

type Store = CompleteStorePort & { orders(): readonly Order[] | Promise<readonly Order[]>; close?(): Promise<void> }

/** Returns what the customer and the merchant can see after a change. */
async function see(store: Store): Promise<string> {
  const next = await store.getSubscription({ email }, contextOf()).catch(() => undefined)
  const items = next?.items.map(({ id, quantity }) => `${quantity} ${id}`).join(', ')
  const orders = (await store.orders()).map(({ lines, discount_minor, total_minor, status }) => {
    const ordered = lines.map(({ title, quantity }) => `${quantity} ${title}`).join(', ')
    return `${ordered} -${discount_minor} = ${total_minor} ${status}`
  })
  const usedUp: string[] = []
  for (const code of ['ONCE', 'TWICE'])
    await store.getDiscount({ discount_code: code }, contextOf()).catch(() => usedUp.push(code))
  const parts = [
    next ? `${items} -${Math.round((next.order_discount_total ?? 0) * 100)}` : '-',
    ...orders,
    ...(usedUp.length > 0 ? [`used up ${usedUp.join(' ')}`] : []),
  ]
  return parts.join(' | ')
}

/** Repeats a sequence, and returns it with the present outcomes. */
async function repeat(sequence: string, open: (data: ShopData) => Store | Promise<Store>): Promise<string> {
  const [start = '', ...lines] = sequence.trim().split('\n')
  const store = await open(dataOf(start === 'with a subscription'))
  const after = [start]
  for (const line of lines) {
    const [change = ''] = line.split(' = ')
    const [, call, json = ''] = /^(\w+) (.*)$/.exec(change) ?? []
    const input = { email, quantity: 1, one_time: false, ...JSON.parse(json) }
    const outcome = await send(store, Object({ call, input, key: crypto.randomUUID() }))
    after.push(`${change} = ${outcome}${outcome === 'done' ? ` | ${await see(store)}` : ''}`)
  }
  await store.close?.()
  return after.join('\n')
}

it.each<[string, (data: ShopData) => Store | Promise<Store>]>([
  ['memory', (data) => createMemoryStore({ data, today })],
  [
    'SQL',
    async (data) =>
      openSqlStore({ url: `sqlite:${await makeFolder('discounts')}/store.db`, seed: 'if-empty', data, today }),
  ],
])('applies codes to units like a model of units: %s store', async (_, open) => {
  const after = []
  for (const sequence of readFileSync('test/discounts.txt', 'utf8').split('\n\n'))
    after.push(await repeat(sequence, open))
  await expect(`${after.join('\n\n')}\n`).toMatchFileSnapshot('discounts.txt')
})
