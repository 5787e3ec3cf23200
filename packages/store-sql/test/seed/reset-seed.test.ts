import { setImmediate } from 'node:timers/promises'
import { contextOf, click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases, type TestDatabase } from '@storeport/testing/stores/describe-databases'
import type { SqlStore } from '@storeport/store-sql'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { runSql } from '../run-sql.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'
const emails = [email, 'cancelled@example.com', 'another@example.com', 'test@example.com']

/** Opens two stores in one database, like two servers. */
async function openTwo(database: TestDatabase) {
  const url = await database.create()
  const open = (date = today) => database.open({ url, today: date })
  return { open, one: await open(), other: await open() }
}

/** Returns the accounts, activity and products of a store. */
async function contentsOf(store: SqlStore) {
  return {
    accounts: await Promise.all(emails.map((each) => store.account(each))),
    activity: await store.latestActivity(),
    products: (await store.listProducts({}, contextOf())).products,
  }
}

await describeDatabases('resetSeed', (database) => {
  it('contains only the seed data after a reset, without earlier clicks', async () => {
    const { one, other, open } = await openTwo(database)
    const fresh = await contentsOf(one)
    const sendNow = click('sendNow', { email })
    const changes = [
      click('swapProduct', { email, current_item_id: 'test_12345', new_product_id: 'test_54321' }),
      sendNow,
      click('addProduct', { email: 'test@example.com', ...oneOf('test_12345'), discount_code: 'TEST10' }),
      click('reactivateSubscription', { email: 'cancelled@example.com', subscription_id: 'sub_2003' }),
    ]
    for (const change of changes) expect(await send(one, change), change.call).toBe('done')
    await one.runCustomAction({ email, action_id: 'change_to_quarterly' }, contextOf())
    await (await open('2026-05-10')).billDue()
    for (const each of [email, 'test@example.com']) await one.eraseCustomer(each, { force: true })

    expect(await other.resetSeed()).toBe(true)
    expect(await contentsOf(one)).toEqual(fresh)
    // The click runs again with the same key, because the reset has removed the stored click.
    expect(await send(one, sendNow)).toBe('done')
    expect(await one.orders(email)).toHaveLength(1)
  })

  it('contains only the seed data after concurrent resets and clicks', async () => {
    const { one, other } = await openTwo(database)
    const fresh = await contentsOf(one)
    const done = new AbortController()
    const clickOn = async (store: SqlStore, which: string) => {
      const endings = new Set<string>()
      while (!done.signal.aborted) {
        endings.add(await send(store, click('sendNow', { email: which })))
        endings.add(await send(store, click('addProduct', { email: which, ...oneOf('test_12345') })))
        await store.runCustomAction({ email: which, action_id: 'change_to_quarterly' }, contextOf())
        // Yields to the resets, because SQLite statements block the process.
        await setImmediate()
      }
      return [...endings]
    }
    const clicking = [clickOn(one, email), clickOn(other, email), clickOn(other, 'another@example.com')]
    for (let turn = 0; turn < 5; turn++) {
      expect(await Promise.all([one, other].map((store) => store.resetSeed()))).toEqual([true, true])
    }
    done.abort()
    const known = ['done', 'order_already_processing']
    expect((await Promise.all(clicking)).flat().filter((ending) => !known.includes(ending))).toEqual([])
    // All orders have the same date, and a customer can have only one subscription order per date.
    for (const which of [email, 'another@example.com']) {
      expect((await one.orders(which)).filter(({ kind }) => kind === 'subscription').length).toBeLessThanOrEqual(1)
    }
    expect(await one.resetSeed()).toBe(true)
    expect(await contentsOf(other)).toEqual(fresh)
  })

  it.each([
    ['customer', sql`insert into customers (id, email) values ('customer_of_the_merchant', 'real@shop.example')`],
    ['product', sql`update products set id = 'tea' where id = 'test_00000'`],
  ])('changes nothing if the shop contains a %s that is not in the seed', async (_, change) => {
    const { one } = await openTwo(database)
    await send(one, click('sendNow', { email }))
    await runSql(one, change)
    const before = await contentsOf(one)
    expect(await one.resetSeed()).toBe(false)
    expect(await contentsOf(one)).toEqual(before)
  })
})
