import { storesClicks, StoreError } from '@storeport/core'
import type { SqlRun } from '@storeport/core/sql'
import { beans, ok, postClicks } from '@storeport/testing/post-clicks'
import { describe, expect, it } from 'vitest'
import type { ShopDatabase } from './databases.ts'
import { retryTransaction, shopsIn } from './shops.ts'

const leaseMs = 15_000

/** Tests `once` for work that calls a platform. `once` first commits the attempt and its key (decision 34). */
export function behavesLikeOutside(name: string, openDatabase: () => Promise<ShopDatabase>): void {
  const setUp = shopsIn(openDatabase)

  describe(`${name}: once, with work outside the database`, () => {
    /** Opens a shop whose method calls a platform that supports idempotency keys, and then inserts an order. */
    async function setUpOutside() {
      const base = await setUp()
      const { database } = base
      const charges: string[] = []
      const ledger = base.open()
      const shopOutside = (work: (over: SqlRun) => unknown = () => {}) =>
        postClicks(ledger, {
          addProduct: storesClicks(async (_input, context) => {
            const charge = (over: SqlRun) => async (key: string) => {
              expect(context.idempotencyKey).toBe(key)
              charges.push(key)
              await work(over)
              await base.order(over)
            }
            await retryTransaction(() =>
              database.transact(
                (over) => ledger.once(over, context, charge(over), { outside: database.run }),
                beginOutside(database),
              ),
            )
          }),
        })
      return { ...base, charges, shopOutside }
    }

    it.each([undefined, 'one'])(
      'commits the attempt before the change and its click (idempotency key: %s)',
      async (click) => {
        const { shopOutside, charges, count } = await setUpOutside()
        expect(await shopOutside()(beans, click)).toEqual(ok)
        expect(await shopOutside()(beans, click)).toEqual({ ...ok, replayed: click === undefined ? null : 'true' })
        expect(charges).toHaveLength(1)
        expect(await count()).toBe(1)
      },
    )

    it.each([undefined, 'one'])(
      'reuses the platform key after a rollback with an unknown outcome (idempotency key: %s)',
      async (click) => {
        const { shopOutside, charges, count } = await setUpOutside()
        const fails = shopOutside(() => {
          throw new Error('the connection was lost')
        })
        expect(await fails(beans, click)).toMatchObject({ status: 500 })
        expect(await fails(beans, click)).toMatchObject({ status: 500 })
        expect(await shopOutside()(beans, click)).toEqual(ok)
        expect(charges).toHaveLength(3)
        expect(new Set(charges).size).toBe(1)
        expect(await count()).toBe(1)
      },
    )

    it('uses a new platform key after a rejection', async () => {
      const { shopOutside, charges } = await setUpOutside()
      const rejects = shopOutside(() => {
        throw new StoreError('payment_failed')
      })
      expect(await rejects(beans)).toMatchObject({ status: 400 })
      expect(await shopOutside()(beans)).toEqual(ok)
      expect(new Set(charges).size).toBe(2)
    })

    it('reuses the platform key if the commit fails after the work', async () => {
      const { database, open, charges, shopOutside, count } = await setUpOutside()
      const ledger = open()
      const fails = postClicks(ledger, {
        addProduct: storesClicks((_input, context) =>
          database.transact(async (over) => {
            await ledger.once(over, context, (key) => charges.push(key), { outside: database.run })
            // This error code normally means that no change was made, but the method has already called the platform.
            throw new StoreError('store_unavailable')
          }, beginOutside(database)),
        ),
      })
      expect(await fails(beans)).toMatchObject({ status: 503 })
      expect(await count()).toBe(0)
      expect(await shopOutside()(beans)).toEqual(ok)
      expect(charges).toHaveLength(2)
      expect(new Set(charges).size).toBe(1)
    })

    it('reuses the platform key if the transaction runs again', async () => {
      const { shopOutside, charges, count } = await setUpOutside()
      const flaky = shopOutside(() => {
        if (charges.length === 1) throw Object.assign(new Error('deadlock'), { code: '40001' })
      })
      expect(await flaky(beans)).toEqual(ok)
      expect(charges).toHaveLength(2)
      expect(new Set(charges).size).toBe(1)
      expect(await count()).toBe(1)
    })

    it("reuses the platform key if a transaction's first run had an effect and its second run is rejected", async () => {
      const { shopOutside, charges } = await setUpOutside()
      const flaky = shopOutside(() => {
        throw charges.length === 1
          ? Object.assign(new Error('deadlock'), { code: '40001' })
          : new StoreError('product_unavailable')
      })
      expect(await flaky()).toMatchObject({ status: 400 })
      expect(await shopOutside()()).toEqual(ok)
      expect(charges).toHaveLength(3)
      expect(new Set(charges).size).toBe(1)
    })

    it("discards an attempt's change if another process has taken over the click (decision 16)", async () => {
      const { database, open, shopOutside, charges, clock, count } = await setUpOutside()
      const ledger = open()
      const paused = postClicks(ledger, {
        addProduct: storesClicks((_input, context) =>
          database.transact(async (over) => {
            const late: SqlRun = async (sql, parameters) => {
              // Pauses the attempt between its claim and its first statement.
              if (!charges.includes('taken over') && !sql.startsWith('begin')) {
                clock.now += leaseMs
                charges.push('taken over')
                expect(await shopOutside()(beans, 'one')).toEqual(ok)
              }
              return over(sql, parameters)
            }
            await ledger.once(late, context, (key) => charges.push(key), { outside: database.run })
          }, beginOutside(database)),
        ),
      })
      expect(await paused(beans, 'one')).toEqual({ ...ok, replayed: 'true' })
      expect(charges).toHaveLength(2)
      expect(await count()).toBe(1)
    })

    it('rejects an attempt if another process took over the click and the click has since expired', async () => {
      const { database, open, shopOutside, clock, count } = await setUpOutside()
      const ledger = open()
      let isPaused = false
      const paused = postClicks(ledger, {
        addProduct: storesClicks((_input, context) =>
          database.transact(async (over) => {
            const late: SqlRun = async (sql, parameters) => {
              if (!isPaused && !sql.startsWith('begin')) {
                isPaused = true
                clock.now += leaseMs
                expect(await shopOutside()()).toEqual(ok)
                clock.now += 2 * leaseMs
              }
              return over(sql, parameters)
            }
            await ledger.once(late, context, () => {}, { outside: database.run })
          }, beginOutside(database)),
        ),
      })
      expect(await paused()).toMatchObject({ status: 503 })
      expect(await count()).toBe(1)
    })
  })
}

/** Returns a `begin` that takes no write lock on SQLite, so that a second connection can commit the claim. */
function beginOutside({ dialect }: ShopDatabase): string | undefined {
  return dialect === 'sqlite' ? 'begin' : undefined
}
