import { openDatabase } from '../open-store.ts'
import { readSettings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

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
