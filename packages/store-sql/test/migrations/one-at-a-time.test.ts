import { openSqlStore } from '@storeport/store-sql'
import { describePostgres } from '@storeport/testing/stores/describe-databases'
import pg from 'pg'
import { expect, it, vi } from 'vitest'

await describePostgres('a concurrent migration', (_database, server) => {
  it('waits for the migration lock before it creates tables', async () => {
    const url = await server.createDatabase()
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    const hasTables = async () => (await other.query(`select to_regclass('customers') as found`)).rows[0].found !== null
    try {
      // The lock id of Kysely's migrator.
      await other.query('select pg_advisory_lock(3853314791062309107)')
      const opening = openSqlStore({ url })
      await vi.waitFor(async () => {
        const { rowCount } = await other.query(
          `select 1 from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        )
        expect(rowCount).toBe(1)
      }, 10_000)
      expect(await hasTables()).toBe(false)
      await other.query('select pg_advisory_unlock_all()')
      await (await opening).close()
      expect(await hasTables()).toBe(true)
    } finally {
      await other.end()
    }
  })
})
