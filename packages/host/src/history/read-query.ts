import type { HistoryQuery } from '@storeport/core'
import { SettingsError } from '@storeport/node'

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a query of the history from texts; throws SettingsError that names the invalid part. */
export function readHistoryQuery(
  texts: { readonly [Name in 'email' | 'failed' | 'since' | 'limit']?: string | undefined },
  now = Date.now(),
): HistoryQuery {
  const { email, failed, since, limit } = texts
  return {
    email: email === undefined || email === '' ? undefined : readEmail(email),
    failed: failed !== undefined && failed !== 'false',
    since: since === undefined ? undefined : readTime(since, now),
    limit: limit === undefined ? undefined : readLimit(limit),
  }
}

/** Returns an email; throws SettingsError. */
export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text
  throw new SettingsError('email: must be an email address')
}

/** Returns the time of `7d`, `1h`, `30m` before now, or of a date such as `2026-03-01`; throws SettingsError. */
function readTime(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (unitsMs[unit] ?? 0)
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw new SettingsError('--since: must be a duration such as 30m, 1h or 7d, or a date such as 2026-03-01')
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text)
  throw new SettingsError('limit: must be a whole number from 1 to 99999')
}
