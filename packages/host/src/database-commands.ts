import { backUpSqlite, seedCustomers, StoreOpenError } from '@storeport/store-sql'
import { findOtherOwner, rejectCopy } from './copied-database.ts'
import { databaseUrl, openDatabase } from './open-store.ts'
import { SettingsError } from '@storeport/node'
import { suggest } from './settings/describe-argument.ts'
import { readArguments } from './settings/read-arguments.ts'
import { readSettings, type Settings } from './settings/settings.ts'
import { billAll } from './billing.ts'
import { describeError, endpointNames, endpointRow, isEndpointName } from '@storeport/core'
import { dateIn } from '@storeport/rules'

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the settings of a command; throws SettingsError if the store is in memory. */
function readDatabaseSettings(command: string, args: readonly string[], env: Environment, hint = ''): Settings {
  const settings = readSettings(args, env)
  if (settings.store !== 'memory') return settings
  throw new SettingsError(`${command}: STOREPORT_STORE must be a database, not memory${hint}`)
}

/** `storeport backup FILE`: copies the SQLite database to a file while the host runs; throws SettingsError. */
export async function backupCommand(args: readonly string[], env: Environment): Promise<void> {
  const [file, ...flags] = args
  if (file === undefined || file.startsWith('-'))
    throw new SettingsError('backup: no file given. Run storeport backup FILE.')
  const settings = readSettings(flags, env)
  if (settings.store === 'memory')
    throw new SettingsError('backup: STOREPORT_STORE must be a SQLite database, not memory')
  try {
    const bytes = await backUpSqlite(databaseUrl(settings), file)
    console.log(`Wrote ${file} (${(bytes / 1_048_576).toFixed(1)} MB)`)
  } catch (error) {
    if (error instanceof StoreOpenError) throw new SettingsError(`backup: ${error.message}`)
    throw error
  }
}

/**
 * `storeport bill`: creates all due orders and prints their number. Concurrent runs create each order only once.
 *
 * Throws SettingsError if an order could not be created or the signal stopped the run. Orders created earlier remain.
 */
export async function billCommand(args: readonly string[], env: Environment, signal: AbortSignal): Promise<void> {
  const settings = readDatabaseSettings('bill', args, env)
  const store = await openDatabase(settings, { trial: true })
  let orders = 0
  let problem = ''
  try {
    await rejectCopy('bill', settings, store.publicUrl)
    const failures = await billAll(store.billDue, { signal, onBilled: (count) => (orders += count) })
    if (failures.length > 0)
      problem = `${failures.length} customers could not be billed: ${describeError(failures[0]).error}`
    else if (signal.aborted) problem = 'stopped by a signal'
  } catch (error) {
    if (error instanceof SettingsError) throw error
    problem = describeError(error).error
  } finally {
    await store.close()
  }
  console.log(orders === 1 ? 'Created 1 order' : `Created ${orders} orders`)
  if (problem !== '')
    throw new SettingsError(`bill: ${problem}. Run storeport bill again to bill the remaining customers.`)
}

/**
 * `storeport ledger forgot`: marks the ledger as young after a failover or a database restore has lost clicks.
 * For 24 hours, the store's `reconcile` method, if present, then runs before each new click (decision 28).
 *
 * Throws SettingsError for an unknown action, a store in memory, or a database that is not writable.
 */
export async function ledgerCommand(args: readonly string[], env: Environment): Promise<void> {
  const [action, ...flags] = args
  if (action !== 'forgot') throw new SettingsError('ledger: unknown action. Run storeport ledger forgot.')
  const store = await openDatabase(readDatabaseSettings('ledger', flags, env))
  try {
    await store.ledger.forgot()
    console.log('The ledger is treated as incomplete for 24 hours')
  } catch (error) {
    throw new SettingsError(`ledger: ${describeError(error).error}`)
  } finally {
    await store.close()
  }
}

/**
 * `storeport reset`: restores the seed data and its date, even while a host runs. Preserves the API key and token.
 *
 * Throws SettingsError if the store is in memory or the database contains other data.
 */
export async function resetCommand(args: readonly string[], env: Environment): Promise<void> {
  const hint = '. Restarting the host restores the seed data in memory.'
  const settings = readDatabaseSettings('reset', args, env, hint)
  const store = await openDatabase(settings, { seed: 'if-empty', trial: true })
  try {
    if (!(await store.trial?.reset())) {
      throw new SettingsError(
        'reset: the database was not seeded by the host, or contains other customers or products. Nothing was changed.',
      )
    }
    console.log(`Restored the seed data with the date ${await store.today()}`)
  } finally {
    await store.close()
  }
}

/** `storeport seed --customers N`: adds generated customers, or continues an interrupted run; throws SettingsError. */
export async function seedCommand(args: readonly string[], env: Environment): Promise<void> {
  const at = args.indexOf('--customers')
  const count = Number(at === -1 ? undefined : args[at + 1])
  if (!Number.isSafeInteger(count) || count < 1 || count > 9_999_999) {
    throw new SettingsError('seed: --customers must be a whole number from 1 to 9999999')
  }
  const settings = readDatabaseSettings('seed', [...args.slice(0, at), ...args.slice(at + 2)], env)
  const today = settings.today ?? dateIn(settings.timeZone)(new Date())
  const store = await openDatabase(settings, { today, seed: 'if-empty', trial: true })
  try {
    if ((await store.today()) !== today) {
      throw new SettingsError("seed: this shop's date was moved. Run storeport reset first.")
    }
    await seedCustomers(store, { count, today, onProgress: showProgress })
  } finally {
    await store.close()
  }
}

/**
 * `storeport pause [OPERATION…]` and `storeport resume [OPERATION…]`: switches operations off and on in all hosts of the
 * database. Without operations, `pause` applies to all changes, and `resume` to all operations. Throws SettingsError.
 */
export async function pauseCommand(
  command: 'pause' | 'resume',
  args: readonly string[],
  env: Environment,
): Promise<void> {
  const { words, has, settings } = readArguments(command, args, command === 'pause' ? { hide: 'boolean' } : {})
  const unknown = words.find((word) => !isEndpointName(word))
  if (unknown !== undefined) {
    const names = endpointNames.join(', ')
    throw new SettingsError(
      `${command}: ${unknown} is not an operation.${suggest(unknown, endpointNames)} The operations are ${names}.`,
    )
  }
  const changes = endpointNames.filter((name) => endpointRow(name).method === 'POST')
  const given = endpointNames.filter((name) => words.includes(name))
  const hostSettings = readDatabaseSettings(command, settings, env)
  const store = await openDatabase(hostSettings)
  try {
    if (command === 'pause')
      await store.pauses.set(given.length > 0 ? given : changes, has('hide') ? 'hidden' : 'paused')
    else await store.pauses.set(given.length > 0 ? given : endpointNames, undefined)
    const paused = [...(await store.pauses.read())].map(([name, mode]) =>
      mode === 'hidden' ? `${name} (hidden)` : name,
    )
    console.log(paused.length === 0 ? 'No operation is paused' : `Paused: ${paused.join(', ')}`)
    const reason = await findOtherOwner(hostSettings, store.publicUrl)
    if (reason !== undefined) console.log(`Hosts with this URL still pause all changes. ${reason}`)
  } catch (error) {
    throw new SettingsError(`${command}: ${describeError(error).error}`)
  } finally {
    await store.close()
  }
}

/** Draws a progress bar on a terminal; otherwise prints a line for every 10 % of the customers. */
function showProgress(done: number, count: number): void {
  const share = done / count
  if (process.stdout.isTTY) {
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
    process.stdout.write(`\r${bar} ${Math.floor(share * 100)} % of ${count} customers${done === count ? '\n' : ''}`)
  } else if (done === count || Math.floor(share * 10) > Math.floor(((done - 2000) / count) * 10)) {
    console.log(`${done} of ${count} customers`)
  }
}
