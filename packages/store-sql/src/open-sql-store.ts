import { createSqlLedger, type SqlRun } from '@storeport/core'
import { readShopOptions } from '@storeport/rules'
import { bringUpToDate, readTableState } from './migrations/migrate.ts'
import { createClickRecords } from './click-records.ts'
import { createBilling } from './create-billing.ts'
import { createPrivacyMethods } from './privacy.ts'
import { createPauses } from './pauses.ts'
import { createPublicUrl } from './public-url.ts'
import { createOperations } from './create-operations.ts'
import { createOrderMethods } from './create-order-methods.ts'
import type { Connections } from './db/connections.ts'
import { createDatabase, type Database, type Db } from './db/database.ts'
import { loadAccount } from './account/load-account.ts'
import { explainOpening, openConnections, readStoreUrl } from './db/open-connections.ts'
import { createReadiness, readOrSetCurrency } from './db/settings.ts'
import { seedShop } from './seed/seed-shop.ts'
import type { SqlStore, SqlStoreOptions, TrialShop } from './sql-store.ts'
import { createTrialDate, openTrial, type TrialSettings } from './trial.ts'
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

  let settings: TrialSettings
  let trial: TrialShop | undefined
  try {
    if (options.migrate ?? true) await explainOpening(connections, bringUpToDate(place, database))
    else await rejectOldTables(connections, database)
    // Fails immediately if the file is read-only, instead of at the first change.
    if (dialect === 'sqlite') await explainOpening(connections, database.transaction(changeNothing, { durable: false }))
    const currency = await explainOpening(connections, readOrSetCurrency(database, options.currency))
    settings = readShopOptions({ ...options, currency })
    if (options.seed === 'if-empty') await seedShop(database, options.data, settings)
    if (options.trial) {
      const date = createTrialDate(settings)
      trial = await openTrial(database, options.data, date)
      await database.read((_, send) => date.read(send))
      // Omits `readDate` if the date cannot be moved, so that requests do not load the date.
      settings = trial === undefined ? { ...date.settings, readDate: undefined } : date.settings
    }
  } catch (error) {
    await connections.close()
    throw error
  }

  const ledger = openLedger(database)
  const today = async () => {
    const { readDate, today: date } = settings
    if (readDate !== undefined) await database.read((_, send) => readDate(send))
    return date()
  }
  const { flush, ...clickRecords } = createClickRecords(database, onNotice)
  let closing: Promise<void> | undefined
  return {
    ...createOperations(
      database,
      { ...settings, actions: new Map(Object.entries(options.actions ?? {})), charge: options.charge },
      ledger.sweep,
    ),
    honoursIdempotencyKey: true,
    currency: settings.currency,
    billDue: createBilling(database, { ...settings, charge: options.charge }),
    ...createOrderMethods(database),
    account: async (email) => (await database.read((_, send) => loadAccount(send, dialect, { email })))?.account,
    ledger,
    ...clickRecords,
    pauses: createPauses(database),
    publicUrl: createPublicUrl(database),
    ...createPrivacyMethods(database, today),
    today,
    trial,
    isReady: createReadiness(database),
    close: () => (closing ??= flush().then(() => connections.close())),
    database,
  }
}

/** Throws StoreOpenError if the tables do not exist, or if an older version created them. */
async function rejectOldTables(connections: Connections, { dialect, read }: Database): Promise<void> {
  const state = await explainOpening(
    connections,
    read((db) => readTableState(dialect, db)),
  )
  const advice = 'Start the host, or open the database once with migrate: true.'
  if (state === 'none')
    throw new StoreOpenError(`The database contains no tables of StorePort. If the URL is correct: ${advice}`)
  if (state === 'older')
    throw new StoreOpenError(`The tables are older than this version of @storeport/store-sql. ${advice}`)
}

/**
 * Opens the ledger for custom actions and for methods that the merchant replaces. The ledger and the store's own
 * methods use the same table, so that all clicks are stored in one place (decision 30).
 */
function openLedger(database: Database): SqlStore['ledger'] {
  const { dialect } = database
  const { requiresScope: _, ...ledger } = createSqlLedger({ dialect, table: 'clicks', run: runEach(database) })
  return ledger
}

/** Returns a function that runs and commits each statement. */
function runEach(database: Database): SqlRun {
  return (text, parameters) => {
    const isRead = /^\s*select/i.test(text)
    // PostgreSQL commits each statement automatically. A SQLite write requires the write connection of a transaction.
    if (isRead || database.dialect === 'postgres') return database.read((_db, send) => send(text, parameters))
    return database.transaction((_db, send) => send(text, parameters))
  }
}

function emitWarning(notice: string): void {
  process.emitWarning(notice, 'StorePortNotice')
}

async function changeNothing(db: Db): Promise<void> {
  await db.deleteFrom('actions_run').where('number', '<', 0).execute()
}
