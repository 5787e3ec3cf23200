import { beans, ok, postClicks, replayed } from '@storeport/testing/post-clicks'
import { describe, expect, it } from 'vitest'
import type { OwnTables } from '../clicks/own-tables.ts'
import { shopsIn, type Work } from './once-shop.ts'

/** Defines the tests of `once` after the claim of the guard, for a method that also calls a platform (rule 22). */
export function continuesClaims(name: string, openDatabase: () => Promise<OwnTables>): void {
  const openShop = shopsIn(openDatabase)

  /** Opens a shop that charges a customer on a platform, and then stores the order with `once`. */
  async function setUp() {
    const base = await openShop()
    /** The platform makes one charge for each key. */
    const charges = new Set<string>()
    const shop = (afterCharge: (key: string) => unknown = () => {}, work?: Work) => {
      const ledger = base.open()
      return postClicks(ledger, {
        honoursIdempotencyKey: true,
        addProduct: async (_input, context) => {
          charges.add(context.idempotencyKey)
          await afterCharge(context.idempotencyKey)
          await base.orderOnce(ledger, context, work)
        },
      })
    }
    const counts = async () => ({ charges: charges.size, orders: await base.count() })
    return { ...base, shop, counts }
  }

  describe(`${name}: once after the claim of the guard`, () => {
    it.each([undefined, 'one'])('makes one charge and one order for a double click (key: %s)', async (key) => {
      const { shop, clickRows, counts } = await setUp()
      const first = shop(async (idempotencyKey) => {
        // The key is committed before the platform is called, and the success together with the order.
        expect(JSON.stringify(await clickRows())).toContain(idempotencyKey)
        expect(await counts()).toEqual({ charges: 1, orders: 0 })
      })
      const responses = await Promise.all([first(beans, key), first(beans, key)])
      expect(responses).toEqual(expect.arrayContaining([ok, replayed]))
      expect(await Promise.all([shop()(beans, key), shop()(beans, key)])).toEqual([replayed, replayed])
      expect(await counts()).toEqual({ charges: 1, orders: 1 })
    })

    it.each(['before', 'in'])('repeats the charge with its key after a failure %s the transaction', async (place) => {
      const { shop, order, counts } = await setUp()
      const fail = () => {
        throw new Error('the connection was lost')
      }
      const fails = shop(place === 'before' ? fail : undefined, async (over) => {
        await order(over)
        fail()
      })
      for (let turn = 0; turn < 2; turn++) expect(await fails()).toMatchObject({ status: 500 })
      expect([await shop()(), await shop()()]).toEqual([ok, replayed])
      expect(await counts()).toEqual({ charges: 1, orders: 1 })
    })

    it('rolls back if another process has taken over the claim, or if the ledger has lost it', async () => {
      const { clock, shop, run, table, counts } = await setUp()
      const paused = shop(async () => {
        clock.aheadMs += 15_001
        expect(await shop()()).toEqual(ok)
      })
      expect(await paused()).toMatchObject({ status: 503 })
      expect(await counts()).toEqual({ charges: 1, orders: 1 })
      const losing = shop(() => run(`delete from ${table}`, []))
      expect(await losing(beans, 'one')).toMatchObject({ status: 503 })
      expect(await counts()).toEqual({ charges: 2, orders: 1 })
    })
  })
}
