import type { SqlStore } from '@storeport/store-sql'
import type { RawBuilder } from 'kysely'

/** Runs a statement of another program, such as the merchant's. */
export async function runSql({ database }: SqlStore, statement: RawBuilder<unknown>): Promise<void> {
  await database.transaction((db) => statement.execute(db))
}
