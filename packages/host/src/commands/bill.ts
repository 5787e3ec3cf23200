import { billAll } from '../billing/bill-all.ts'
import { describeError } from '@storeport/core'
import { openDatabase } from '../open-store.ts'
import { readSettings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

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
