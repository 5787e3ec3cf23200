import { storesClicks, memoryLedger } from '@storeport/core'
import { createSqlLedger, type SqlRun } from '@storeport/core/sql'
import { ok, postClicks } from '@storeport/testing/post-clicks'
import { noMariadb, startMariadb } from '@storeport/testing/start-mariadb'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { behavesLikeOnce } from './behaves-like-once.ts'
import { behavesLikeOutside } from './behaves-like-outside.ts'
import { behavesLikeSqlLedger } from './behaves-like-sql-ledger.ts'
import { openMysql } from './databases.ts'

describe.skipIf(noMariadb)(`MariaDB 10.11${noMariadb === undefined ? '' : `: ${noMariadb}`}`, async () => {
  const server = noMariadb === undefined ? await startMariadb() : undefined
  afterAll(() => server?.stop())
  const open = () => openMysql(server?.connection ?? {})
  behavesLikeSqlLedger('MariaDB', open)
  behavesLikeOnce('MariaDB', open)
  behavesLikeOutside('MariaDB', open)

  it("finds a click that was committed after the transaction's first read (decision 32)", async () => {
    const database = await open()
    onTestFinished(database.close)
    const clicks = createSqlLedger({ dialect: 'mysql', run: database.run })
    await database.exec(`${clicks.createTable}; create table snapshot_orders (product varchar(50))`)
    const order = (over: SqlRun) => over("insert into snapshot_orders values ('beans')", [])
    const shop = (before: (over: SqlRun) => unknown) =>
      postClicks(memoryLedger(), {
        addProduct: storesClicks((_input, context) =>
          database.transact(async (over) => {
            await before(over)
            await clicks.once(over, context, () => order(over))
          }),
        ),
      })
    const late = shop(async (over) => {
      await over('select * from snapshot_orders', [])
      expect(await shop(() => {})()).toEqual(ok)
    })
    expect(await late()).toEqual(ok)
    expect((await database.run('select * from snapshot_orders', [])).rows).toHaveLength(1)
  })
})
