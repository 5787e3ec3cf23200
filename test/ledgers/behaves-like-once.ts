import { storesClicks, StoreError } from '@storeport/core'
import type { SqlRun } from '@storeport/core/sql'
import { beans, ok, paths, postClicks } from '@storeport/testing/post-clicks'
import { describe, expect, it } from 'vitest'
import type { ShopDatabase } from './databases.ts'
import { shopsIn } from './shops.ts'

/** Defines the tests of `once`, which stores a click in the transaction of its change (decisions 32 and 33). */
export function behavesLikeOnce(name: string, openDatabase: () => Promise<ShopDatabase>): void {
  const setUp = shopsIn(openDatabase)

  describe(`${name}: once`, () => {
    it('commits the change and its click, and replays a repeat', async () => {
      const { shop, count } = await setUp()
      expect(await shop()(beans)).toEqual(ok)
      expect(await shop()(beans)).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('starts the window of a click after its work', async () => {
      const { clock, shop, order, count } = await setUp()
      const slow = shop(async (over) => {
        await order(over)
        clock.now += 9000
      })
      expect(await slow(beans)).toEqual(ok)
      clock.now += 5000
      expect(await shop()(beans)).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('commits nothing if the work function rejects, so that a repeated click runs', async () => {
      const { shop, order, count } = await setUp()
      const rejects = shop(async (over) => {
        await order(over)
        throw new StoreError('payment_failed')
      })
      expect(await rejects(beans, 'one')).toMatchObject({ status: 400 })
      expect(await count()).toBe(0)
      expect(await shop()(beans, 'one')).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('commits neither the change nor the click if the transaction fails after the work', async () => {
      const { database, open, shop, order, count } = await setUp()
      const ledger = open()
      const fails = postClicks(ledger, {
        addProduct: storesClicks((_input, context) =>
          database.transact(async (over) => {
            await ledger.once(over, context, () => order(over))
            throw new Error('the commit failed')
          }),
        ),
      })
      expect(await fails(beans)).toMatchObject({ status: 500 })
      expect(await count()).toBe(0)
      expect(await shop()(beans)).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('applies a click exactly once in each of 200 races between two processes, and applies all other clicks', async () => {
      const { shop, count } = await setUp()
      const [first, second] = [shop(), shop()]
      for (let round = 0; round < 200; round++) {
        const product = { ...beans, product_id: `product-${round}` }
        const key = round % 2 === 0 ? undefined : `key-${round}`
        const responses = await Promise.all([first(product, key), second(product, key)])
        expect(responses.map(({ status }) => status)).toEqual([200, 200])
        expect(await count()).toBe(round + 1)
      }
      const others = [first({ ...beans, product_id: 'tea' }), second({ ...beans, product_id: 'milk' })]
      expect(await Promise.all(others)).toEqual([ok, ok])
      expect(await count()).toBe(202)
    })

    it('numbers its clicks in the same sequence as clicks that the ledger claims (decision 30)', async () => {
      const { database, open, order, orderOnce, count } = await setUp()
      const ledger = open()
      const post = postClicks(ledger, {
        addProduct: orderOnce(ledger),
        undoAddProduct: async () => void (await order(database.run, 'undo')),
      })
      await post(beans)
      await post(beans, undefined, paths.undo)
      await post(beans)
      await post(beans)
      expect(await count()).toBe(3)
    })

    it('skips the work if a transaction runs again after its commit (decision 33)', async () => {
      const { database, open, order, count } = await setUp()
      const ledger = open()
      const results: string[] = []
      const post = postClicks(ledger, {
        addProduct: storesClicks(async (_input, context) => {
          for (let turn = 0; turn < 2; turn++)
            results.push(await database.transact((over) => ledger.once(over, context, () => order(over))))
        }),
      })
      expect(await post(beans)).toEqual(ok)
      expect(results).toEqual(['ran', 'ran'])
      expect(await count()).toBe(1)
    })

    it('replays a success for ten minutes after a 504 (decision 12)', async () => {
      const { database, open, order, orderOnce, count, shop, clock } = await setUp()
      const [responded, extended] = [signal(), signal()]
      const run: SqlRun = async (sql, parameters) => {
        const result = await database.run(sql, parameters)
        if (sql.startsWith('update') && Number(result.changes) === 1) extended.send()
        return result
      }
      const ledger = open({ run })
      await ledger.ready()
      const slow = postClicks(
        ledger,
        {
          addProduct: orderOnce(ledger, async (over) => {
            await responded.sent
            await order(over)
          }),
        },
        50,
      )
      expect(await slow()).toMatchObject({ status: 504 })
      responded.send()
      await extended.sent
      clock.now += 9 * 60_000
      expect(await shop()()).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('rejects without running the work if no transaction is open', async () => {
      const { database, open, order, count } = await setUp()
      const ledger = open()
      const errors: unknown[] = []
      // Removes the MariaDB-specific comments, which MySQL does not execute.
      const asMysql: SqlRun = (sql, parameters) => database.run(sql.replaceAll(/\/\*M!.*?\*\//g, ''), parameters)
      for (const run of [database.run, asMysql]) {
        const post = postClicks(ledger, {
          addProduct: storesClicks(async (_input, context) => {
            await ledger.once(run, context, () => order(run)).catch((error: unknown) => errors.push(error))
          }),
        })
        await post(beans)
      }
      expect(errors.map(String)).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/no open transaction/)))
      expect(await count()).toBe(0)
    })

    it('accepts an open transaction that the database does not report', async () => {
      const { database, open, order, count } = await setUp()
      const ledger = open()
      const post = postClicks(ledger, {
        addProduct: storesClicks((_input, context) =>
          database.transact((over) => {
            const asMysql: SqlRun = (sql, parameters) => over(sql.replaceAll(/\/\*M!.*?\*\//g, ''), parameters)
            return ledger.once(asMysql, context, () => order(over))
          }),
        ),
      })
      expect(await post(beans)).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('rejects with the original error from the database or the work', async () => {
      const { database, open } = await setUp()
      const ledger = open()
      const failure = Object.assign(new Error('serialization failure'), { code: '40001' })
      const caught: unknown[] = []
      for (const failing of ['insert', 'select', 'work', 'update']) {
        const post = postClicks(ledger, {
          addProduct: storesClicks(async (_input, context) => {
            const transaction = database.transact((over) => {
              const run: SqlRun = (sql, parameters) => {
                if (sql.replace(/^with created as \(/, '').startsWith(failing)) throw failure
                return over(sql, parameters)
              }
              return ledger.once(run, context, () => {
                if (failing === 'work') throw failure
              })
            })
            await transaction.catch((error: unknown) => caught.push(error))
          }),
        })
        await post(beans)
      }
      expect(caught).toEqual([failure, failure, failure, failure])
    })

    it('runs every request with `retries: false`', async () => {
      const { shop, open, count, orderOnce } = await setUp()
      const post = postClicks(false, { addProduct: orderOnce(open()) })
      for (let turn = 0; turn < 2; turn++) expect(await post(beans)).toEqual(ok)
      expect(await count()).toBe(2)
      expect(await shop()(beans)).toEqual(ok)
    })

    it("does not change other customers' rows", async () => {
      const { database, shop, count, clicks } = await setUp()
      await shop()({ ...beans, email: 'other@b.example' })
      const rows = async () => (await database.run(`select * from ${clicks} order by id`, [])).rows
      const before = await rows()
      // SQLite allows only one write transaction at a time.
      const during = database.dialect === 'sqlite' ? undefined : shop()
      const works = shop(async () => {
        if (during) expect(await during({ ...beans, email: 'third@b.example' })).toEqual(ok)
      })
      expect(await works(beans)).toEqual(ok)
      expect(await rows()).toEqual(expect.arrayContaining([...before]))
      expect(await count()).toBe(during ? 2 : 1)
    })
  })
}

/** Creates a signal that a test can wait for. */
function signal() {
  let send = () => {}
  const sent = new Promise<void>((resolve) => (send = resolve))
  return { sent, send: () => send() }
}
