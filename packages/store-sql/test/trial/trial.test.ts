import { setImmediate } from 'node:timers/promises'
import { contextOf, click, oneOf, send } from '@storeport/testing/clicks'
import { describeDatabases, type TestDatabase } from '@storeport/testing/describe-databases'
import { openSqlStore, type SqlStore, type SqlStoreOptions } from '@storeport/store-sql'
import { expect, it, onTestFinished } from 'vitest'

const today = '2026-03-10'
const email = 'subscription@example.com'
const emails = [email, 'cancelled@example.com', 'another@example.com', 'test@example.com']

/** Opens two stores in one database, like two servers. */
async function openTwo(database: TestDatabase, options: Partial<SqlStoreOptions> = {}) {
  const url = await database.create()
  const open = async () => {
    const store = await openSqlStore({ url, today, seed: 'if-empty', trial: true, ...options })
    onTestFinished(() => store.close())
    return store
  }
  return { url, open, one: await open(), other: await open() }
}

function trialOf({ trial }: SqlStore) {
  if (trial === undefined) throw new Error('Expected a trial shop.')
  return trial
}

/** Returns the accounts, activity, products and date of a store. */
async function contentsOf(store: SqlStore) {
  return {
    accounts: await Promise.all(emails.map((each) => store.account(each))),
    activity: await store.latestActivity(),
    products: (await store.listProducts({}, contextOf())).products,
    today: await store.today(),
  }
}

/** Adds a customer that is not in the seed. */
async function addCustomer({ database }: SqlStore): Promise<void> {
  await database.transaction((db) =>
    db
      .insertInto('customers')
      .values({ id: 'customer_of_the_merchant', email: 'real@shop.example', last_sent_on: null, last_sent_at: null })
      .execute(),
  )
}

await describeDatabases('a trial shop', (database) => {
  it('uses the moved date in every store on the same database, even after a restart', async () => {
    const { one, other, open } = await openTwo(database)
    expect(await trialOf(one).moveDate('2026-03-25')).toBe('moved')
    expect(await other.today()).toBe('2026-03-25')
    // The seed's billing date, 2026-03-24, is in the past, so the response contains the next billing date.
    expect(await other.getSubscription({ email }, contextOf())).toMatchObject({ next_billing_date: '2026-04-09' })
    expect(await send(other, click('delaySubscription', { email, new_date: '2026-03-25' }))).toBe('invalid_date')
    expect(await one.billDue()).toMatchObject({ billed: 2 })
    expect((await other.orders(email)).map(({ placed_on }) => placed_on)).toEqual(['2026-03-25'])

    expect(await trialOf(other).moveDate('2026-03-25')).toBe('not_later')
    expect(await trialOf(other).moveDate('2026-03-11')).toBe('not_later')
    expect(await (await open()).today()).toBe('2026-03-25')
  })

  it('moves the date once if two stores concurrently request the same date', async () => {
    const { one, other } = await openTwo(database)
    const moves = await Promise.all([one, other].map((store) => trialOf(store).moveDate('2026-04-10')))
    expect(moves.toSorted()).toEqual(['moved', 'not_later'])
  })

  it('advances the moved date with the clock', async () => {
    let now = Date.parse('2026-03-10T12:00:00Z')
    const { one } = await openTwo(database, { today: undefined, now: () => now })
    expect(await trialOf(one).moveDate('2026-03-20')).toBe('moved')
    now += 86_400_000
    expect(await one.today()).toBe('2026-03-21')
  })

  it('contains only the seed data after a reset, without earlier clicks', async () => {
    const { one, other } = await openTwo(database)
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
    await trialOf(one).moveDate('2026-05-10')
    await one.billDue()

    expect(await trialOf(other).reset()).toBe(true)
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
      expect(await Promise.all([one, other].map((store) => trialOf(store).reset()))).toEqual([true, true])
    }
    done.abort()
    const known = ['done', 'order_already_processing']
    expect((await Promise.all(clicking)).flat().filter((ending) => !known.includes(ending))).toEqual([])
    // All orders have the same date, and a customer can have only one subscription order per date.
    for (const which of [email, 'another@example.com']) {
      expect((await one.orders(which)).filter(({ kind }) => kind === 'subscription').length).toBeLessThanOrEqual(1)
    }
    expect(await trialOf(one).reset()).toBe(true)
    expect(await contentsOf(other)).toEqual(fresh)
  })

  it.each(['customer', 'product'])(
    'rejects a date change or reset if the shop contains a %s that is not in the seed',
    async (what) => {
      const { one, open } = await openTwo(database)
      await send(one, click('sendNow', { email }))
      await trialOf(one).moveDate('2026-03-12')
      if (what === 'customer') await addCustomer(one)
      else {
        await one.database.transaction((db) =>
          db.updateTable('products').set({ id: 'tea' }).where('id', '=', 'test_00000').execute(),
        )
      }
      const before = await contentsOf(one)
      expect(await trialOf(one).moveDate('2026-04-12')).toBe('not_alone')
      expect(await trialOf(one).reset()).toBe(false)
      expect(await contentsOf(one)).toEqual(before)
      const late = await open()
      expect(late.trial).toBeUndefined()
      expect(await late.today()).toBe('2026-03-12')
      // The moved date remains, because customers were billed on that date.
      expect(await late.getSubscription({ email: 'another@example.com' }, contextOf())).toMatchObject({
        next_billing_date: '2026-03-17',
      })
      expect(
        await send(late, click('delaySubscription', { email: 'another@example.com', new_date: '2026-03-12' })),
      ).toBe('invalid_date')
    },
  )

  it('requires the option `trial` and the seed data', async () => {
    const data = { products: [], customers: [{ email: 'real@shop.example' }] }
    expect((await database.open({ today, trial: true, data })).trial).toBeUndefined()
    expect((await database.open({ today })).trial).toBeUndefined()
  })
})
