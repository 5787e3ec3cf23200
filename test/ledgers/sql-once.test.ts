import { storesClicks, memoryLedger, type StorePort } from '@storeport/core'
import { createSqlLedger, type SqlRun } from '@storeport/core/sql'
import { beans, postClicks } from '@storeport/testing/post-clicks'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import Libsql from 'libsql'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { behavesLikeOnce } from './behaves-like-once.ts'
import { behavesLikeOutside } from './behaves-like-outside.ts'
import { openPostgres, openSqlite, runOnSqlite } from './databases.ts'

for (const [name, open] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const) {
  behavesLikeOnce(name, open)
  behavesLikeOutside(name, open)
}

/** Returns a function that sends a click to a shop and returns the status of the response. */
function shopOf(addProduct: StorePort['addProduct'] & {}) {
  const post = postClicks(memoryLedger(), { addProduct })
  return async (key = 'one') => (await post(beans, key)).status
}

describe('onceSync', () => {
  async function setUp() {
    const { file, run, exec, close } = await openSqlite()
    const clicks = createSqlLedger({ dialect: 'sqlite', run })
    await exec(`${clicks.createTable} create table orders (product text)`)
    const connection = new Libsql(file)
    onTestFinished(async () => {
      connection.close()
      await close()
    })
    const count = async () => (await run('select * from orders', [])).rows.length
    return { clicks, connection, onConnection: runOnSqlite(connection), count }
  }

  it('stores a click in a synchronous transaction, and replays a repeat', async () => {
    const { clicks, connection, onConnection, count } = await setUp()
    const results: string[] = []
    const post = shopOf(
      storesClicks(async (_input, context) => {
        const transaction = connection.transaction(() =>
          clicks.onceSync(onConnection, context, () => connection.exec("insert into orders values ('beans')")),
        )
        results.push(transaction.immediate())
      }),
    )
    expect([await post(), await post(), await post('two')]).toEqual([200, 200, 200])
    expect(results).toEqual(['ran', 'replayed', 'ran'])
    expect(await count()).toBe(2)
  })

  it('commits neither the change nor the click if the work throws', async () => {
    const { clicks, connection, onConnection, count } = await setUp()
    let fails = true
    const post = shopOf(
      storesClicks(async (_input, context) => {
        connection
          .transaction(() =>
            clicks.onceSync(onConnection, context, () => {
              connection.exec("insert into orders values ('beans')")
              if (fails) throw new Error('the work failed')
            }),
          )
          .immediate()
      }),
    )
    expect(await post()).toBe(500)
    expect(await count()).toBe(0)
    fails = false
    expect(await post()).toBe(200)
    expect(await count()).toBe(1)
  })

  it('throws if no transaction is open or the work is asynchronous', async () => {
    const { clicks, connection, onConnection, count } = await setUp()
    const errors: unknown[] = []
    const attempt = (act: () => unknown) => {
      try {
        act()
      } catch (error) {
        errors.push(error)
      }
    }
    const post = shopOf(
      storesClicks(async (_input, context) => {
        attempt(() => clicks.onceSync(onConnection, context, () => connection.exec('insert into orders values (1)')))
        attempt(() => connection.transaction(() => clicks.onceSync(onConnection, context, async () => {})).immediate())
      }),
    )
    await post()
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('no open transaction') }),
      new TypeError('onceSync: a Promise cannot be awaited here. Use once.'),
    ])
    expect(await count()).toBe(0)
    expect(connection.inTransaction).toBe(false)
  })
})

it("rethrows PostgreSQL's serialization failure if another transaction commits after the first read", async () => {
  const database = await openPostgres()
  onTestFinished(database.close)
  const { run } = database
  const clicks = createSqlLedger({ dialect: 'postgres', run })
  await database.exec(`${clicks.createTable} create table orders (product text)`)
  const order = (over: SqlRun) => over("insert into orders values ('beans')", [])
  const once = shopOf(
    storesClicks((_input, context) => database.transact((over) => clicks.once(over, context, () => order(over)))),
  )
  const codes: unknown[] = []
  const late = shopOf(
    storesClicks(async (_input, context) => {
      const transaction = database.transact(async (over) => {
        await over('select * from orders', [])
        expect(await once()).toBe(200)
        await clicks.once(over, context, () => order(over))
      }, 'begin isolation level repeatable read')
      await transaction.catch((error: unknown) => codes.push(error instanceof pg.DatabaseError ? error.code : error))
    }),
  )
  await late()
  expect(codes).toEqual(['40001'])
  expect((await run('select * from orders', [])).rows).toHaveLength(1)
})

it('stores a click once in a Kysely transaction', async () => {
  const server = await sharedPostgres()
  const connectionString = await server.createDatabase()
  const database = new Kysely<{ orders: { product: string } }>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }),
  })
  onTestFinished(async () => {
    await database.destroy()
    await server.dropDatabase(connectionString)
  })
  const runOn =
    (over: typeof database): SqlRun =>
    async (text, parameters) => {
      const { rows, numAffectedRows } = await over.executeQuery(CompiledQuery.raw(text, parameters))
      return { rows, changes: numAffectedRows ?? 0 }
    }
  const clicks = createSqlLedger({ dialect: 'postgres', run: runOn(database) })
  await server.query(`${clicks.createTable} create table orders (product text)`, connectionString)
  await clicks.ready()
  const post = shopOf(
    storesClicks(({ product_id: product }, context) =>
      database
        .transaction()
        .execute((over) =>
          clicks.once(runOn(over), context, () => over.insertInto('orders').values({ product }).execute()),
        ),
    ),
  )
  expect([await post(), await post()]).toEqual([200, 200])
  expect(await database.selectFrom('orders').selectAll().execute()).toHaveLength(1)
})
