import { SettingsError } from '@storeport/node'

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Formats a time in the time zone of the store. */
export function formatTime(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
}

/**
 * Returns the time of `7d`, `1h`, `30m` before now, of a date such as `2026-03-01`, or of a time that `formatTime`
 * returned. Throws SettingsError.
 */
export function readTime(text: string, timeZone: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return Date.now() - Number(count) * (unitsMs[unit] ?? 0)
  const hasZone = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text)
  const at = /^\d{4}-\d{2}-\d{2}/.test(text)
    ? Date.parse(hasZone ? text : `${text}${text.length > 10 ? '' : 'T00:00'}Z`)
    : Number.NaN
  if (Number.isNaN(at))
    throw new SettingsError('--since: must be a duration such as 30m, 1h or 7d, or a date such as 2026-03-01')
  return hasZone ? at : 2 * at - Date.parse(`${formatTime(at, timeZone)}Z`)
}
