import type { HistoryQuery } from '@storeport/core'
import { SettingsError } from '@storeport/node'
import { readTime } from './times.ts'

/** Reads a query of the history from texts; throws SettingsError that names the invalid part. */
export function readHistoryQuery(
  texts: { readonly [Name in 'email' | 'failed' | 'since' | 'limit']?: string | undefined },
  timeZone: string,
): HistoryQuery {
  const { email, failed, since, limit } = texts
  return {
    email: email === undefined || email === '' ? undefined : readEmail(email),
    failed: failed !== undefined && failed !== 'false',
    since: since === undefined ? undefined : readTime(since, timeZone),
    limit: limit === undefined ? undefined : readLimit(limit),
  }
}

/** Returns an email; throws SettingsError. */
export function readEmail(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254) return text
  throw new SettingsError('email: must be an email address')
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) > 0) return Number(text)
  throw new SettingsError('limit: must be a whole number from 1 to 99999')
}
