import { backUpSqlite, seedCustomers, StoreOpenError } from '@storeport/store-sql'
import { databaseUrl, openDatabase } from './open-store.ts'
import { readSettings, SettingsError } from './settings/settings.ts'
import { billAll } from './billing.ts'
import { describeError } from '@storeport/core'
import { dateIn } from '@storeport/rules'

/** `storeport backup FILE`: writes a copy of its database, as of one moment, while the host goes on; throws SettingsError. */
export async function backupCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [file, ...flags] = args
  if (file === undefined || file.startsWith('-')) throw new SettingsError('backup: name the file to write')
  const settings = readSettings(flags, env)
  if (settings.store === 'memory') throw new SettingsError('backup: what is in memory ends with its process')
  try {
    const bytes = await backUpSqlite(databaseUrl(settings), file)
    console.log(`${file} holds the database, ${(bytes / 1_048_576).toFixed(1)} MB`)
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SettingsError(`backup: ${error.message}`)
    throw error
  }
}

/**
 * `storeport bill`: makes the orders that are due, once, and prints how many; several at once make each order once.
 *
 * Throws SettingsError when it could not make all of them, also when the signal ended it: what it made stays.
 */
export async function billCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const settings = readSettings(args, env)
  const { today, timeZone, currency } = settings
  if (settings.store === 'memory') throw new SettingsError('bill: STOREPORT_STORE must be a database, not memory')
  const store = await openDatabase(settings, { today, timeZone, currency, trial: true })
  let orders = 0
  let problem = ''
  try {
    const failures = await billAll(store.billDue, { signal, onBilled: (count) => (orders += count) })
    if (failures.length > 0)
      problem = `${failures.length} customers could not be billed: ${describeError(failures[0]).error}`
    else if (signal.aborted) problem = 'was ended before it was done'
  } catch (error) {
    problem = describeError(error).error
  } finally {
    await store.close()
  }
  console.log(orders === 1 ? '1 order was made' : `${orders} orders were made`)
  if (problem !== '') throw new SettingsError(`bill: ${problem}; run it again for the others`)
}

/**
 * `storeport ledger forgot`: marks the ledger as young, after a failover or a restored backup lost clicks. A store with `reconcile`
 * is then asked first, for 24 hours (decision 28).
 *
 * Throws SettingsError for any other word, for a store in memory, and for a database that cannot be written.
 */
export async function ledgerCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [action, ...flags] = args
  if (action !== 'forgot') throw new SettingsError('ledger: write storeport ledger forgot')
  const settings = readSettings(flags, env)
  const { today, timeZone, currency } = settings
  if (settings.store === 'memory') throw new SettingsError('ledger: STOREPORT_STORE must be a database, not memory')
  const store = await openDatabase(settings, { today, timeZone, currency })
  try {
    await store.ledger.forgot()
    console.log('The ledger is young for 24 hours')
  } catch (error) {
    throw new SettingsError(`ledger: ${describeError(error).error}`)
  } finally {
    await store.close()
  }
}

/**
 * `storeport reset`: puts the seed of the host back, and its date, also while a host serves it; key and token stay.
 *
 * Throws SettingsError for a database that holds anything else.
 */
export async function resetCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const settings = readSettings(args, env)
  const { today, timeZone, currency } = settings
  if (settings.store === 'memory') throw new SettingsError('reset: what is in memory starts anew with its process')
  const store = await openDatabase(settings, { today, timeZone, currency, seed: 'if-empty', trial: true })
  try {
    if (!(await store.trial?.reset())) {
      throw new SettingsError(
        'reset: the database was not seeded by the host, or holds other customers or products: nothing was changed',
      )
    }
    console.log(`The seed is back, and its date is ${await store.today()}`)
  } finally {
    await store.close()
  }
}

/** `storeport seed --customers N`: fills the database with made-up customers, and goes on where an earlier run was ended. */
export async function seedCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const at = args.indexOf('--customers')
  const count = Number(at === -1 ? undefined : args[at + 1])
  if (!Number.isSafeInteger(count) || count < 1 || count > 9_999_999) {
    throw new SettingsError('seed: say how many with --customers, from 1 to 9999999')
  }
  const settings = readSettings([...args.slice(0, at), ...args.slice(at + 2)], env)
  if (settings.store === 'memory') throw new SettingsError('seed: STOREPORT_STORE must be a database, not memory')
  const today = settings.today ?? dateIn(settings.timeZone)(new Date())
  const store = await openDatabase(settings, { today, currency: settings.currency, seed: 'if-empty', trial: true })
  try {
    if ((await store.today()) !== today) {
      throw new SettingsError('seed: the date of this shop was moved, and would stay so: run storeport reset first')
    }
    await seedCustomers(store, { count, today, onProgress: showProgress })
  } finally {
    await store.close()
  }
}

/** A bar on a terminal; elsewhere one line for each tenth. */
function showProgress(done: number, count: number): void {
  const share = done / count
  if (process.stdout.isTTY) {
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
    process.stdout.write(`\r${bar} ${Math.floor(share * 100)} % of ${count} customers${done === count ? '\n' : ''}`)
  } else if (done === count || Math.floor(share * 10) > Math.floor(((done - 2000) / count) * 10)) {
    console.log(`${done} of ${count} customers`)
  }
}
