import { storesClicks, type Context, memoryLedger, StoreError } from '@storeport/core'
import { createSqlLedger, type SqlLedger, sqlLedgerTable, type SqlResult, type SqlRun } from '@storeport/core/sql'
import { beans, ok, paths, postClicks, replayed } from '@storeport/testing/post-clicks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ShopDatabase } from './databases.ts'

type Work = (over: SqlRun) => unknown

/** Defines the tests of `once`, which stores a click in the transaction of its change (rules 21 to 23). */
export function behavesLikeOnce(name: string, openDatabase: () => Promise<ShopDatabase>): void {
  let database: ShopDatabase
  beforeAll(async () => {
    database = await openDatabase()
  })
  afterAll(() => database.close())

  /** Opens a shop with empty tables for orders and clicks. */
  async function setUp(isMigrated = true) {
    const id = crypto.randomUUID().slice(0, 8)
    const [table, orders] = [`clicks_${id}`, `orders_${id}`]
    const { dialect } = database
    const migration = sqlLedgerTable(dialect, table)
    await database.exec(`${isMigrated ? migration : ''}; create table ${orders} (product varchar(50));`)
    /** Sets the database's clock forward for the ledgers of this shop. */
    const clock = { aheadMs: 0 }
    const withClock =
      (run: SqlRun): SqlRun =>
      async (sql, parameters) => {
        const { rows, changes } = await run(sql, parameters)
        return { rows: rows.map((row) => moveClock(Object(row), clock.aheadMs)), changes }
      }
    const run = withClock(database.run)
    const open = () => createSqlLedger({ dialect, table, run })
    const transact = <Result>(work: (over: SqlRun) => Promise<Result>, begin?: string) =>
      database.transact((over) => work(withClock(over)), begin)
    const order = (over: SqlRun = run) => over(`insert into ${orders} values ('beans')`, [])
    const rowsOf = async (from: string) => (await run(`select * from ${from}`, [])).rows
    const count = async () => (await rowsOf(orders)).length
    /** Orders in a transaction with `once`, and repeats the transaction after a deadlock, as merchants do. */
    const orderOnce = (ledger: SqlLedger, context: Pick<Context, 'click' | 'idempotencyKey'>, work: Work = order) =>
      retryTransaction(() => transact((over) => ledger.once(over, context, () => work(over))))
    /** Opens a process whose method stores the click in its transaction. */
    const shop = (work: Work = order, timeoutMs?: number) => {
      const ledger = open()
      const addProduct = storesClicks((_input, context) => orderOnce(ledger, context, work))
      return postClicks(ledger, { addProduct }, timeoutMs)
    }
    /** Opens a process whose method calls `once` and returns or throws as the test needs. */
    const shopOf = (method: (ledger: SqlLedger, context: Context) => Promise<unknown>) => {
      const ledger = open()
      return postClicks(memoryLedger(), { addProduct: storesClicks((_input, context) => method(ledger, context)) })
    }
    /** Calls `once` in a transaction without an error response, and returns the error. */
    const errorOf = async (method: (ledger: SqlLedger, context: Context) => Promise<unknown>) => {
      let thrown: unknown
      await shopOf(async (ledger, context) => {
        thrown = await method(ledger, context).catch((error: unknown) => error)
      })()
      return thrown
    }
    return { table, migration, clock, run, open, transact, order, rowsOf, count, orderOnce, shop, shopOf, errorOf }
  }

  describe(`${name}: once in a method that stores its click`, () => {
    it('commits the click and its change in three statements, and replays a repeat', async () => {
      const { shopOf, shop, transact, order, count } = await setUp()
      const sent: string[] = []
      const first = shopOf((ledger, context) =>
        transact(async (over) => {
          const recorded: SqlRun = (sql, parameters) => {
            sent.push(/^with created|^\w+/.exec(sql)?.[0] ?? '')
            return over(sql, parameters)
          }
          await ledger.once(recorded, context, () => order(over))
        }),
      )
      expect(await first()).toEqual(ok)
      // SQLite has no other way to detect a transaction than a `begin` that fails.
      expect(sent).toEqual(
        {
          postgres: ['with created', 'with', 'update'],
          mysql: ['insert', 'select', 'update'],
          sqlite: ['insert', 'select', 'begin', 'update'],
        }[database.dialect],
      )
      expect([await shop()(), await shop()(beans, 'one'), await shop()(beans, 'one')]).toEqual([replayed, ok, replayed])
      expect(await count()).toBe(2)
    })

    it.each(['in the work', 'after the work'])(
      'writes nothing if the transaction fails %s, and runs a repeat',
      async (at) => {
        const { table, shop, shopOf, transact, order, count, rowsOf } = await setUp()
        const fail = () => {
          throw new StoreError('payment_failed')
        }
        const fails = shopOf((ledger, context) =>
          transact(async (over) => {
            await ledger.once(over, context, async () => {
              await order(over)
              if (at === 'in the work') fail()
            })
            fail()
          }),
        )
        expect(await fails(beans, 'one')).toMatchObject({ status: 400 })
        expect([await count(), await rowsOf(table)]).toEqual([0, []])
        expect(await shop()(beans, 'one')).toEqual(ok)
        expect(await count()).toBe(1)
      },
    )

    it('makes one effect in each of 100 races between two processes', async () => {
      const { shop, count } = await setUp()
      const [first, second] = [shop(), shop()]
      for (let round = 0; round < 100; round++) {
        const product = { ...beans, product_id: `product-${round}` }
        const key = round % 2 === 0 ? undefined : `key-${round}`
        const responses = await Promise.all([first(product, key), second(product, key)])
        expect(responses).toEqual(expect.arrayContaining([ok, replayed]))
      }
      expect(await count()).toBe(100)
    })

    it('orders its clicks with those that the guard claims', async () => {
      const { open, orderOnce, order, count } = await setUp()
      const ledger = open()
      const post = postClicks(ledger, {
        addProduct: storesClicks((_input, context) => orderOnce(ledger, context)),
        undoAddProduct: async () => void (await order()),
      })
      for (const path of [paths.add, paths.undo, paths.add]) expect(await post(beans, undefined, path)).toEqual(ok)
      expect(await post()).toEqual(replayed)
      expect(await count()).toBe(3)
    })

    it('skips the work if a transaction runs again after its commit', async () => {
      const { shopOf, orderOnce, count } = await setUp()
      const results: string[] = []
      const post = shopOf(async (ledger, context) => {
        for (let turn = 0; turn < 2; turn++) results.push(await orderOnce(ledger, context))
      })
      expect(await post()).toEqual(ok)
      expect(results).toEqual(['ran', 'ran'])
      expect(await count()).toBe(1)
    })

    it('starts the window after the work', async () => {
      const { table, shop, rowsOf } = await setUp()
      let endedAt = Infinity
      const slow = shop(async () => {
        await waitUntil((passedMs) => passedMs > 30)
        endedAt = Date.now()
      })
      expect(await slow()).toEqual(ok)
      const [row] = await rowsOf(table)
      // Each of the two clocks has whole milliseconds.
      expect(Number(Object(row).expires_at)).toBeGreaterThanOrEqual(endedAt + 10_000 - 2)
    })

    it('replays a success that was committed after a 504', async () => {
      const { shop, order, count } = await setUp()
      const responded = createSignal()
      const slow = shop(async (over) => {
        await responded.sent
        await order(over)
      }, 50)
      expect(await slow()).toMatchObject({ status: 504 })
      const repeat = shop()()
      responded.send()
      expect(await repeat).toEqual(replayed)
      expect(await count()).toBe(1)
    })

    it('rethrows every error of the database and of the work', async () => {
      const { errorOf, transact } = await setUp()
      const failure = Object.assign(new Error('serialization failure'), { code: '40001' })
      for (const failing of [/^(with created|insert)/, /^(select|with click)/, 'work', /^update/]) {
        const error = await errorOf((ledger, context) =>
          transact((over) => {
            const run: SqlRun = (sql, parameters) => {
              if (failing instanceof RegExp && failing.test(sql)) throw failure
              return over(sql, parameters)
            }
            return ledger.once(run, context, () => (failing === 'work' ? Promise.reject(failure) : undefined))
          }),
        )
        expect(error).toBe(failure)
      }
    })

    it('finds a click that was committed after the snapshot of its transaction, or rethrows the conflict', async () => {
      const { table, shop, shopOf, transact, order, rowsOf, count } = await setUp()
      // SQLite takes its lock when the transaction begins.
      if (database.dialect === 'sqlite') return
      const begin = database.dialect === 'postgres' ? 'begin isolation level repeatable read' : undefined
      const found: unknown[] = []
      const late = shopOf(async (ledger, context) => {
        const transaction = transact(async (over) => {
          await over(`select * from ${table}`, [])
          expect(await shop()()).toEqual(ok)
          return ledger.once(over, context, () => order(over))
        }, begin)
        found.push(await transaction.catch((error: unknown) => Object(error).code))
      })
      await late()
      expect(found).toEqual([database.dialect === 'postgres' ? '40001' : 'replayed'])
      expect([await count(), (await rowsOf(table)).length]).toEqual([1, 1])
    })

    it('runs every request with `retries: false`', async () => {
      const { open, orderOnce, count } = await setUp()
      const ledger = open()
      const post = postClicks(false, { addProduct: storesClicks((_input, context) => orderOnce(ledger, context)) })
      for (let turn = 0; turn < 2; turn++) expect(await post()).toEqual(ok)
      expect(await count()).toBe(2)
    })
  })

  describe(`${name}: locks of once`, () => {
    it('reads the clock after it has waited for the lock', async () => {
      const { open, transact, run } = await setUp()
      const ledger = open()
      const [holds, rolledBack] = [createSignal(), createSignal()]
      let endedAt = Infinity
      const clickOf = (claim: (now: number) => unknown) => ({
        idempotencyKey: 'key',
        click: {
          customer: 'a:b',
          commitBy: Infinity,
          idempotencyKey: 'key',
          ledger,
          claim: (_stored: unknown, now: number) => {
            claim(now)
            return { result: 'run' as const }
          },
          succeed: () => ({ result: undefined }),
        },
      })
      await ledger.update('a:b', (_, now) => ({ result: 0, document: { v: 2 }, until: now + 1000 }))
      // The row does not change, so that PostgreSQL does not read it again.
      const first = transact((over) =>
        ledger.once(over, clickOf(holds.send), async () => {
          await rolledBack.sent
          throw new Error('rolled back')
        }),
      )
      await holds.sent
      const second = transact((over) =>
        ledger.once(
          over,
          clickOf((now) => (endedAt = now - endedAt)),
          () => {},
        ),
      )
      await waitUntil((passedMs) => passedMs > 100)
      endedAt = await ledger.update('', (_, now) => ({ result: now }))
      rolledBack.send()
      await expect(first).rejects.toThrow('rolled back')
      await second
      expect(endedAt).toBeGreaterThanOrEqual(0)
      expect(await run('select 1 as one', [])).toMatchObject({ changes: expect.anything() })
    })

    it('locks no other customer, with and without a stored row', async () => {
      const { shop, count } = await setUp()
      // SQLite has one write transaction at a time.
      if (database.dialect === 'sqlite') return
      const customers = 16
      const emails = Array.from({ length: customers }, (_, index) => `customer-${index}@b.example`)
      /** Every transaction waits, with its lock, until all transactions have locked their rows. */
      async function addConcurrently(product_id: string, present: readonly string[]) {
        const all = createSignal()
        let inside = 0
        const post = shop(async (over) => {
          if (++inside === present.length) all.send()
          await all.sent
          await over('select 1 as one', [])
        })
        return Promise.all(present.map((email) => post({ ...beans, product_id, email })))
      }
      // The second round locks rows that exist, next to rows that it inserts. The third round locks only existing rows.
      const even = emails.filter((_, index) => index % 2 === 0)
      for (const [round, present] of [even, emails, emails].entries())
        expect(await addConcurrently(`product-${round}`, present)).toEqual(present.map(() => ok))
      expect(await count()).toBe(0)
    })
  })

  describe(`${name}: once after the claim of the guard`, () => {
    /** Opens a shop that charges a customer on a platform, and then stores the order with `once`. */
    async function setUpPlatform() {
      const base = await setUp()
      /** The platform makes one charge for each key. */
      const charges = new Set<string>()
      const shopWith = (afterCharge: (key: string) => unknown = () => {}, work?: Work) => {
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
      return { ...base, charges, shopWith }
    }

    it.each([undefined, 'one'])('makes one charge and one order for a double click (key: %s)', async (key) => {
      const { shopWith, charges, count, table, rowsOf } = await setUpPlatform()
      // The key is committed before the platform is called.
      const first = shopWith(async (idempotencyKey) => {
        expect(JSON.stringify(await rowsOf(table))).toContain(idempotencyKey)
        expect(await count()).toBe(0)
      })
      const responses = await Promise.all([first(beans, key), first(beans, key)])
      expect(responses).toEqual([ok, replayed])
      expect(await shopWith()(beans, key)).toEqual(replayed)
      expect([charges.size, await count()]).toEqual([1, 1])
    })

    it.each(['after the charge', 'in the transaction'])(
      'repeats the charge with its key after a failure %s',
      async (at) => {
        const { shopWith, charges, count, order } = await setUpPlatform()
        const fail = () => {
          throw new Error('the connection was lost')
        }
        const fails = shopWith(at === 'after the charge' ? fail : undefined, async (over) => {
          await order(over)
          fail()
        })
        for (let turn = 0; turn < 2; turn++) expect(await fails()).toMatchObject({ status: 500 })
        expect(await shopWith()()).toEqual(ok)
        expect([charges.size, await count()]).toEqual([1, 1])
      },
    )

    it('uses a new key after a rejection by the platform', async () => {
      const { shopWith, charges, count } = await setUpPlatform()
      const rejects = shopWith(() => {
        throw new StoreError('payment_failed')
      })
      expect(await rejects()).toMatchObject({ status: 400 })
      expect(await shopWith()()).toEqual(ok)
      expect([charges.size, await count()]).toEqual([2, 1])
    })

    it('repeats a transaction that the database rejects, with the same key', async () => {
      const { shopWith, charges, count, order } = await setUpPlatform()
      const failures = [Object.assign(new Error('deadlock'), { code: '40001' })]
      const flaky = shopWith(undefined, async (over) => {
        await order(over)
        const failure = failures.pop()
        if (failure !== undefined) throw failure
      })
      expect(await flaky()).toEqual(ok)
      expect(await shopWith()()).toEqual(replayed)
      expect([charges.size, await count()]).toEqual([1, 1])
    })

    it('rolls back if another process has taken over the claim', async () => {
      const { clock, shopWith, charges, count } = await setUpPlatform()
      const paused = shopWith(async () => {
        clock.aheadMs += 15_001
        expect(await shopWith()()).toEqual(ok)
      })
      expect(await paused()).toMatchObject({ status: 503 })
      expect([charges.size, await count()]).toEqual([1, 1])
    })

    it('rolls back if the ledger has lost the claim', async () => {
      const { table, run, shopWith, count } = await setUpPlatform()
      const losing = shopWith(() => run(`delete from ${table}`, []))
      expect(await losing()).toMatchObject({ status: 503 })
      expect(await count()).toBe(0)
    })
  })

  it(`${name}: deletes rows an hour after they expire`, async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { table, clock, open, rowsOf } = await setUp()
    const ledger = open()
    const touch = (key: string) =>
      ledger.update(key, (_, now) => ({ result: 0, document: { v: 2 }, until: now + 1000 }))
    for (const key of ['one', 'two']) await touch(key)
    clock.aheadMs = 40 * 60_000
    await touch('three')
    clock.aheadMs = 70 * 60_000
    vi.advanceTimersByTime(9999)
    await touch('four')
    expect(await rowsOf(table)).toHaveLength(5)
    vi.advanceTimersByTime(1)
    await touch('four')
    const ids = async () => (await rowsOf(table)).map((row) => Object(row).id).toSorted()
    await vi.waitFor(async () => expect(await ids()).toEqual(['four', 'storeport-probe', 'three']), 20_000)
  })

  describe(`${name}: mistakes`, () => {
    it('rejects `once` without an open transaction', async () => {
      const { run, errorOf, order, count } = await setUp()
      for (const over of [run, asMysql(run)])
        expect(await errorOf((ledger, context) => ledger.once(over, context, () => order(over)))).toMatchObject({
          message: expect.stringContaining('once: no open transaction'),
        })
      expect(await count()).toBe(0)
    })

    it('accepts an open transaction that MySQL does not report', async () => {
      const { shopOf, transact, order, count } = await setUp()
      const post = shopOf((ledger, context) =>
        transact((over) => ledger.once(asMysql(over), context, () => order(over))),
      )
      expect(await post()).toEqual(ok)
      expect(await count()).toBe(1)
    })

    it('names the migration in the error for a missing table or column, and works after the migration', async () => {
      const { table, migration, open, transact, errorOf, orderOnce } = await setUp(false)
      const message = `The table ${table} is missing or belongs to another version of StorePort. Run the migration that sqlLedgerTable('${database.dialect}') returns.`
      const ledger = open()
      const look = () => ledger.update('a:b', (stored) => ({ result: stored }))
      for (const turn of ['missing table', 'missing column']) {
        await expect(ledger.ready(), turn).rejects.toThrow(message)
        await expect(look()).rejects.toThrow(message)
        expect(await errorOf((each, context) => transact((over) => each.once(over, context, () => {})))).toMatchObject({
          message,
          cause: expect.any(Error),
        })
        if (turn === 'missing table') await database.exec(`create table ${table} (id varchar(255) primary key)`)
      }
      await database.exec(`drop table ${table}; ${migration}`)
      await ledger.ready()
      // A migration that runs again changes nothing.
      await database.exec(migration)
      expect(await look()).toBeUndefined()
      expect(await errorOf(orderOnce)).toBe('ran')
    })

    const shape =
      'run: must return { rows, changes }: the rows as objects, and the number of rows that the statement inserted, updated or deleted'
    const columns = 'run: must return rows with the selected column names, such as expires_at and transaction_id'
    const rename = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    it.each<[string, string, boolean, (result: SqlResult) => unknown]>([
      ['nothing', shape, true, () => undefined],
      ['a list of rows', shape, true, ({ rows }) => rows],
      ['rows without `changes`', shape, true, ({ rows }) => ({ rows })],
      ['1 as `changes` for every statement', shape, false, ({ rows }) => ({ rows, changes: 1 })],
      ['0 as `changes` for every statement', shape, false, ({ rows }) => ({ rows, changes: 0 })],
      [
        'renamed columns',
        columns,
        true,
        ({ rows, changes }) => ({
          rows: rows.map((row) =>
            Object.fromEntries(Object.entries(Object(row)).map(([key, value]) => [rename(key), value])),
          ),
          changes,
        }),
      ],
    ])('rejects a `run` that returns %s', async (_, message, isSeenByOnce, convert) => {
      const { table, transact, errorOf } = await setUp()
      const wrong =
        (run: SqlRun): SqlRun =>
        async (...call) =>
          // oxlint-disable-next-line typescript/consistent-type-assertions -- JavaScript allows this mistake
          convert(await run(...call)) as SqlResult
      const ledger = createSqlLedger({ dialect: database.dialect, table, run: wrong(database.run) })
      await expect(ledger.ready()).rejects.toThrow(new TypeError(message))
      await expect(ledger.update('a:b', () => ({ result: 0 }))).rejects.toThrow(new TypeError(message))
      if (isSeenByOnce)
        expect(await errorOf((each, context) => transact((over) => each.once(wrong(over), context, () => {})))).toEqual(
          new TypeError(message),
        )
    })
  })
}

function moveClock(row: Readonly<Record<string, unknown>>, aheadMs: number) {
  return 'clock' in row ? { ...row, clock: Number(row['clock']) + aheadMs } : row
}

/** Removes the comments that only MariaDB executes. */
function asMysql(run: SqlRun): SqlRun {
  return (sql, parameters) => run(sql.replaceAll(/\/\*M!.*?\*\//g, ''), parameters)
}

/** Retries a transaction after a deadlock or a serialization failure. */
async function retryTransaction<Result>(transact: () => Promise<Result>): Promise<Result> {
  for (let turn = 0; ; turn++) {
    try {
      return await transact()
    } catch (error) {
      if (turn === 20 || !/40001|40P01|ER_LOCK_DEADLOCK|SQLITE_BUSY/.test(String(Object(error).code))) throw error
    }
  }
}

/** Creates a signal that a test can wait for. */
function createSignal() {
  let send = () => {}
  const sent = new Promise<void>((resolve) => (send = resolve))
  return { sent, send: () => send() }
}

/** Waits until the condition holds for the elapsed time. */
async function waitUntil(holds: (passedMs: number) => boolean): Promise<void> {
  const startedAt = performance.now()
  while (!holds(performance.now() - startedAt)) await new Promise((resolve) => setImmediate(resolve))
}
