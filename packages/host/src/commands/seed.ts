import { dateIn } from '@storeport/rules'
import { seedCustomers } from '@storeport/store-sql'
import { openDatabase } from '../open-store.ts'
import { readSettings } from '../settings/settings.ts'
import { SettingsError } from '../settings/settings-error.ts'

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
