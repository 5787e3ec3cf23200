import { readShopOptions, type ShopSettings } from '@storeport/rules'
import { bringUpToDate, hasTables } from './migrations/migrate.ts'
import { createColumnLedger } from './account/click-column.ts'
import { createClickRecords } from './click-records.ts'
import { createBilling } from './create-billing.ts'
import { createPrivacyMethods } from './privacy.ts'
import { claimUrl } from './public-url.ts'
import { createOperations } from './create-operations.ts'
import { createOrderMethods } from './create-order-methods.ts'
import type { Connections } from './db/connections.ts'
import { createDatabase, type Database, type Db } from './db/database.ts'
import { loadAccount } from './account/load-account.ts'
import { explainOpening, openConnections, readStoreUrl } from './db/open-connections.ts'
import { createReadiness, readOrSetCurrency } from './db/settings.ts'
import { seedShop } from './seed/seed-shop.ts'
import type { SqlStore, SqlStoreOptions } from './sql-store.ts'
import { resetSeed } from './seed/reset-seed.ts'
import { StoreOpenError } from './db/store-open-error.ts'

/**
 * Opens a store in a SQLite file or a PostgreSQL database.
 *
 * Throws StoreOpenError if the database cannot be used, and an Error that lists the problems in invalid `data`.
 */
export async function openSqlStore(options: SqlStoreOptions): Promise<SqlStore> {
  // Validates the options before the database is opened.
  readShopOptions(options)
  const place = readStoreUrl(options.url)
  const onNotice = options.onNotice ?? emitWarning
  const connections = await openConnections(place, { ...options, onNotice })
  const database = createDatabase(connections)
  const { dialect } = database

  let settings: ShopSettings
  try {
    if (options.migrate ?? true) await explainOpening(connections, bringUpToDate(place, database))
    else await requireTables(connections, database)
    // Fails immediately if the file is read-only, instead of at the first change.
    if (dialect === 'sqlite') await explainOpening(connections, database.transaction(changeNothing, { durable: false }))
    const currency = await explainOpening(connections, readOrSetCurrency(database, options.currency))
    settings = readShopOptions({ ...options, currency })
    if (options.seed === 'if-empty') await seedShop(database, options.data, settings)
  } catch (error) {
    await connections.close()
    throw error
  }

  const { flush, ...clickRecords } = createClickRecords(database, onNotice)
  let closing: Promise<void> | undefined
  return {
    ...createOperations(database, {
      ...settings,
      actions: new Map(Object.entries(options.actions ?? {})),
      charge: options.charge,
    }),
    honoursIdempotencyKey: true,
    currency: settings.currency,
    billDue: createBilling(database, { ...settings, charge: options.charge }),
    ...createOrderMethods(database),
    account: async (email) => (await database.read((_, send) => loadAccount(send, dialect, { email })))?.account,
    ledger: createColumnLedger(database),
    ...clickRecords,
    claimUrl: (url, previous) => claimUrl(database, url, previous),
    ...createPrivacyMethods(database, settings.today),
    resetSeed: () => resetSeed(database, options.data, settings),
    isReady: createReadiness(database),
    close: () => (closing ??= flush().then(() => connections.close())),
    database,
  }
}

/** Throws StoreOpenError if the tables do not exist, or if another version created them. */
async function requireTables(connections: Connections, { dialect, read }: Database): Promise<void> {
  const isFound = await explainOpening(
    connections,
    read((db) => hasTables(dialect, db)),
  )
  if (isFound) return
  throw new StoreOpenError(
    'The database contains no tables of StorePort. If the URL is correct: Start the host, or open the database once with migrate: true.',
  )
}

function emitWarning(notice: string): void {
  process.emitWarning(notice, 'StorePortNotice')
}

async function changeNothing(db: Db): Promise<void> {
  await db.deleteFrom('actions_run').where('number', '<', 0).execute()
}
