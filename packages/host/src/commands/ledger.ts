import { describeError } from '@storeport/core'
import { openDatabase } from '../open-store.ts'
import { readSettings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

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
