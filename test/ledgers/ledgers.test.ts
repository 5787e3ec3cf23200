import { storesClicks, memoryLedger } from '@storeport/core'
import { createSqlLedger, sqlLedgerTable } from '@storeport/core/sql'
import { beans, ok, postClicks, replayed } from '@storeport/testing/post-clicks'
import Libsql from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { behavesLikeLedger } from './behaves-like-ledger.ts'
import { behavesLikeOnce } from './behaves-like-once.ts'
import { continuesClaims } from './continues-claims.ts'
import { openPostgres, openSqlite } from './databases.ts'
import { execute, runOnSqlite } from '../clicks/own-tables.ts'
import { locksRows } from './locks-rows.ts'
import { memoryStorage, storagesIn } from './storages.ts'

behavesLikeLedger('memory', memoryStorage)
for (const [name, open] of [
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
] as const) {
  behavesLikeLedger(name, storagesIn(open))
  behavesLikeOnce(name, open)
  continuesClaims(name, open)
}
locksRows('PostgreSQL', openPostgres)

it('stores clicks in synchronous transactions with `onceSync`', async () => {
  const { file, run, close } = await openSqlite()
  await execute({ run }, `${sqlLedgerTable('sqlite')} create table orders (product text)`)
  const connection = new Libsql(file)
  onTestFinished(async () => {
    connection.close()
    await close()
  })
  const clicks = createSqlLedger({ dialect: 'sqlite', run })
  const errors: string[] = []
  const order = () => void connection.exec("insert into orders values ('beans')")
  const shop = (work: () => unknown, isOpen = true) =>
    postClicks(memoryLedger(), {
      addProduct: storesClicks(async (_input, context) => {
        const keep = () => clicks.onceSync(runOnSqlite(connection), context, work)
        try {
          return isOpen ? connection.transaction(keep).immediate() : keep()
        } catch (error) {
          errors.push(String(error))
          throw error
        }
      }),
    })
  const failing = shop(() => {
    order()
    throw new Error('the work failed')
  })
  for (const post of [failing, shop(async () => {}), shop(order, false)])
    expect(await post(beans, 'one')).toMatchObject({ status: 500 })
  expect(errors).toEqual([
    'Error: the work failed',
    'TypeError: onceSync: a Promise cannot be awaited here. Use once.',
    expect.stringContaining('once: no open transaction'),
  ])
  const post = shop(order)
  expect([await post(beans, 'one'), await post(beans, 'one'), await post()]).toEqual([ok, replayed, ok])
  expect((await run('select * from orders', [])).rows).toHaveLength(2)
  expect(connection.inTransaction).toBe(false)
})
