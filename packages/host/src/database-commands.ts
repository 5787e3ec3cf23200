import { backUpSqlite, seedCustomers, type SqlStore, StoreOpenError } from '@storeport/store-sql'
import { databaseUrl, openDatabase } from './open-store.ts'
import { SettingsError } from '@storeport/node'
import { type Environment, readCommand, readSettings, type Settings } from './settings/settings.ts'
import { billAll } from './billing.ts'
import { isStoreError } from '@storeport/core'
import { createClock } from '@storeport/rules'
import { createInterface } from 'node:readline/promises'

/** Opens the database, runs `use` and closes the database; throws SettingsError, also if the store is in memory. */
export async function withDatabase<Result>(
  command: string,
  settings: Settings,
  use: (store: SqlStore) => Promise<Result>,
  options: Parameters<typeof openDatabase>[1] = {},
): Promise<Result> {
  if (settings.store === 'memory') {
    const problem = 'STOREPORT_STORE must be a database, not memory'
    const hint = 'The playground shows data in memory, and a restart of the host restores the seed data.'
    throw new SettingsError(`${command}: ${problem}. ${hint}`)
  }
  const store = await openDatabase(settings, options)
  try {
    return await use(store)
  } catch (error) {
    if (isStoreError(error)) throw new SettingsError(`${command}: ${error.message}`)
    throw error
  } finally {
    await store.close()
  }
}

/** Returns whether the user confirms a question, or has given `--yes`. Throws SettingsError without a terminal. */
export async function confirm(command: string, yes: boolean, question: string, ask = askOnTerminal): Promise<boolean> {
  const isConfirmed = yes || (await ask(question))
  if (isConfirmed === undefined)
    throw new SettingsError(`${command}: not an interactive terminal. To skip the question, use --yes.`)
  if (!isConfirmed) console.log('Nothing was changed')
  return isConfirmed
}

/** Requests a confirmation; returns `undefined` without a terminal. */
export async function askOnTerminal(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
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
  const run = (store: SqlStore) => billAll(store.billDue, signal)
  const { orders, failure, failed } = await withDatabase('bill', readSettings(args, env), run)
  console.log(orders === 1 ? 'Created 1 order' : `Created ${orders} orders`)
  if (failure === undefined && !signal.aborted) return
  const customers = failed === undefined ? '' : `${failed} customers could not be billed: `
  const problem = customers + (failure?.error ?? 'stopped by a signal')
  throw new SettingsError(`bill: ${problem}. Run storeport bill again to bill the remaining customers.`)
}

/**
 * `storeport reset [--yes]`: restores the seed data after a confirmation, even while a host runs. Preserves the API key
 * and token.
 *
 * Throws SettingsError if the store is in memory or the database contains other data.
 */
export async function resetCommand(args: readonly string[], env: Environment): Promise<void> {
  const { has, settings } = readCommand('reset: ', args, env, { own: { yes: 'boolean' } })
  const restore = async (store: SqlStore) => {
    if (!(await confirm('reset', has('yes'), 'Restore the seed data? All changes are lost. [y/N] '))) return
    if (!(await store.resetSeed())) {
      throw new SettingsError(
        'reset: the database was not seeded by the host, or contains other customers or products. Nothing was changed.',
      )
    }
    console.log(`Restored the seed data with the date ${createClock(settings)()}`)
  }
  await withDatabase('reset', settings, restore, { seed: 'if-empty' })
}

/** `storeport seed --customers N`: adds generated customers, or continues an interrupted run; throws SettingsError. */
export async function seedCommand(args: readonly string[], env: Environment): Promise<void> {
  const { text, settings } = readCommand('seed: ', args, env, { own: { customers: 'string' } })
  const count = Number(text('customers'))
  if (!Number.isSafeInteger(count) || count < 1 || count > 9_999_999) {
    throw new SettingsError('seed: --customers must be a whole number from 1 to 9999999')
  }
  const add = (store: SqlStore) =>
    seedCustomers(store, { count, today: createClock(settings)(), onProgress: showProgress })
  await withDatabase('seed', settings, add, { seed: 'if-empty' })
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
