import { SettingsError } from '@storeport/node'
import { withDatabase } from '../database-commands.ts'
import { type Environment, type OptionTypes, readCommand } from '../settings/settings.ts'
import { readDescriber } from './describe-record.ts'

/** Maximum number of records that a command reads. */
export const mostRecords = 10_000

/** `storeport history EMAIL [--failed] [--since TIME] [--json]`: prints a customer's clicks; throws SettingsError. */
export async function historyCommand(args: readonly string[], env: Environment): Promise<void> {
  const own = { failed: 'boolean', json: 'boolean', since: 'string' } as const
  const { email, has, text, settings } = readCustomer('history', args, env, own)
  const { timeZone } = settings
  const since = text('since')
  await withDatabase('history', settings, async (store) => {
    const query = { email, failed: has('failed'), since: since === undefined ? undefined : readTime(since, timeZone) }
    const records = await store.clickRecords({ ...query, limit: mostRecords })
    if (has('json')) console.log(JSON.stringify(records, undefined, 2))
    else if (records.length === 0) console.log('No recorded clicks.')
    else {
      for (const { at, asked, result, failed, requestId } of records.map(await readDescriber(store)))
        console.log(`${formatTime(at, timeZone)}  ${asked} → ${result}${failed ? ` (request ${requestId})` : ''}`)
    }
    if (records.length >= mostRecords)
      console.error(`Only the latest ${mostRecords} records were read. To read fewer records, use --since.`)
  })
}

/** Reads the arguments of a command whose only word is an email; throws SettingsError. */
export function readCustomer(command: string, args: readonly string[], env: Environment, own: OptionTypes) {
  const { words, ...rest } = readCommand(`${command}: `, args, env, { own, allowsWords: true })
  const [email, ...others] = words
  if (email === undefined || others.length > 0) throw new SettingsError(`${command}: run storeport ${command} EMAIL.`)
  if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return { email, ...rest }
  throw new SettingsError(`${command}: EMAIL must be an email address`)
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns the time of `7d`, `1h`, `30m` before now, or of a date such as `2026-03-01`. Throws SettingsError. */
export function readTime(text: string, timeZone: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return new Date(Date.now() - Number(count) * (unitsMs[unit] ?? 0))
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(midnight))
    throw new SettingsError('--since: must be a duration such as 30m, 1h or 7d, or a date such as 2026-03-01')
  return new Date(2 * midnight - Date.parse(`${formatTime(midnight, timeZone)}Z`))
}

/** Formats a time in the time zone of the store. */
function formatTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
}
