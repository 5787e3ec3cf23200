import { readShopData, readShopOptions, seed, type ShopRecords } from '@storeport/rules'
import { findMissing, migrate } from './migrations/migrate.ts'
import { createColumnLedger } from './account/click-column.ts'
import { createClickRecords } from './click-records.ts'
import type { StoreSettings } from './create-action-runner.ts'
import { createBilling } from './create-billing.ts'
import { createPrivacyMethods } from './privacy.ts'
import { createOperations } from './create-operations.ts'
import { createOrderMethods } from './create-order-methods.ts'
import { createDatabase, type Database, type Db } from './db/database.ts'
import { loadAccount } from './account/load-account.ts'
import {
  explainOpening,
  openConnections,
  readStoreUrl,
  StoreOpenError,
  type StorePlace,
} from './db/open-connections.ts'
import { claimSetting, createReadiness, readOrSetCurrency } from './db/settings.ts'
import { seedShop } from './seed/seed-shop.ts'
import type { SqlStore, SqlStoreOptions } from './sql-store.ts'
import { resetSeed } from './seed/reset-seed.ts'

/**
 * Opens a store in a SQLite file or a PostgreSQL database.
 *
 * Throws StoreOpenError if the database cannot be used, and an Error that lists the problems in invalid `data`.
 */
export async function openSqlStore(options: SqlStoreOptions): Promise<SqlStore> {
  // Validates the options before the database is opened.
  readShopOptions(options)
  const place = readStoreUrl(options.url)
  const { onNotice = (notice) => process.emitWarning(notice, 'StorePortNotice') } = options
  const connections = await openConnections(place, { ...options, onNotice })
  const database = createDatabase(connections)
  const { dialect } = database

  let settings: StoreSettings
  try {
    const currency = await explainOpening(connections, prepare(place, database, options))
    settings = { ...options, ...readShopOptions({ ...options, currency }) }
    if (options.seed === 'if-empty') await seedShop(database, () => readRecords(settings))
  } catch (error) {
    await connections.close()
    throw error
  }

  const { flush, ...clickRecords } = createClickRecords(database, onNotice)
  let closing: Promise<void> | undefined
  return {
    ...createOperations(database, settings),
    honoursIdempotencyKey: true,
    currency: settings.currency,
    billDue: createBilling(database, settings),
    ...createOrderMethods(database),
    account: async (email) => (await database.read((_, send) => loadAccount(send, dialect, { email })))?.account,
    ledger: createColumnLedger(database),
    ...clickRecords,
    claimUrl: (url, previous) => claimSetting(database, 'public_url', url, previous),
    ...createPrivacyMethods(database, settings.today),
    resetSeed: async () => resetSeed(database, readRecords(settings)),
    isReady: createReadiness(database),
    close: () => (closing ??= flush().then(() => connections.close())),
    database,
  }
}

/** Returns the data for the seed. Its dates are near the current date, unless the options contain other data. */
function readRecords({ data, today, currency }: StoreSettings): ShopRecords {
  return readShopData(data ?? seed(today(), currency), currency)
}

/** Creates or checks the tables. Returns the currency. */
async function prepare(place: StorePlace, database: Database, options: SqlStoreOptions): Promise<string> {
  const { dialect, read, transaction } = database
  if (options.migrate ?? true) await migrate(place, database)
  else if ((await read((db) => findMissing(dialect, db))).length > 0)
    throw new StoreOpenError(
      'The database contains no tables of StorePort. If the URL is correct: Start the host, or open the database once with migrate: true.',
    )
  // Fails immediately if the file is read-only, instead of at the first change.
  const changeNothing = (db: Db) => db.deleteFrom('actions_run').where('number', '<', 0).execute()
  if (dialect === 'sqlite') await transaction(changeNothing, { durable: false })
  return readOrSetCurrency(database, options.currency)
}
