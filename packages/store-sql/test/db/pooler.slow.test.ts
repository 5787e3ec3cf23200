import { openSqlStore } from '@storeport/store-sql'
import { sharedPostgres } from '@storeport/testing/shared-postgres'
import { noPgbouncer, startPgbouncer } from '@storeport/testing/start-pgbouncer'
import { expect, it } from 'vitest'

it.skipIf(noPgbouncer !== undefined).each([
  ['session', 'opened'],
  [
    'transaction',
    expect.stringMatching(
      / is behind a pooler in transaction mode \(42P05\)\. Use session mode, or connect .* directly/,
    ),
  ],
] as const)('opens a database behind a pooler in %s mode', async (mode, outcome) => {
  const server = await sharedPostgres()
  const database = await server.createDatabase()
  const pooler = await startPgbouncer(database, mode)
  const opening = openSqlStore({ url: pooler.url, seed: 'if-empty' }).then(
    async (store) => {
      await store.close()
      return 'opened'
    },
    ({ message }: Error) => message,
  )
  expect(await opening).toEqual(outcome)
  await pooler.stop()
  await server.dropDatabase(database)
})
