import { withoutEmails } from '@storeport/core'
import type { Failure } from './connections.ts'

/** What an error of libsql means. */
export function sqliteFailure(error: unknown): Failure | undefined {
  const code = sqliteCode(error)
  if (code === undefined) return undefined
  if (isBusy(error)) return { retry: true, broken: true, lost: false }
  // A full disk is reported before the commit; after an error of the disk nobody knows.
  if (/^SQLITE_(FULL|READONLY|PERM)/.test(code)) return { retry: false, broken: false, lost: false }
  if (/^SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/.test(code))
    return { retry: false, broken: true, lost: true }
  return undefined
}

/** Whether somebody else held the lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')
}

/** A sentence about why a file cannot be used, and what to do. */
export function explainSqlite(error: unknown, file: string): string {
  const code = sqliteCode(error) ?? ''
  const about = (advice: string) => `The SQLite file ${file} ${advice} (${code}).`
  if (code.startsWith('SQLITE_NOTADB')) return about('is not a SQLite database: name another file, or move it away')
  if (code.startsWith('SQLITE_CORRUPT')) return about('is damaged: restore it from a backup, or move it away')
  if (code.startsWith('SQLITE_FULL')) return about('cannot grow, because the disk is full: make room')
  if (/^SQLITE_(READONLY|PERM)/.test(code)) {
    return about('cannot be written: give this user the right to write it and its folder')
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return about('cannot be opened: its folder must exist, and this user must have the right to write there')
  }
  if (code.startsWith('SQLITE_IOERR')) return about('cannot be read or written: look after the disk')
  if (isBusy(error)) return about('is locked by another program for too long: end that one')
  if (error instanceof Error && error.message.includes('already exists')) {
    return about('holds tables of another program: name a file of its own')
  }
  const reason = error instanceof Error ? withoutEmails(error.message) : 'unexpected error'
  return `The SQLite file ${file} cannot be used (${code === '' ? reason : code}).`
}

/**
 * The name of SQLite's result code. libsql has none for a file that it cannot open, and gives the number of an extended code
 * that it does not know: its lowest byte is the code that it extends.
 */
function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('SQLITE_')) return code
  const [, number] = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ?? []
  if (number !== undefined) return primaryCodes.get(Number(number) & 0xff)
  return error.message.includes('Unable to open connection') ? 'SQLITE_CANTOPEN' : undefined
}

const primaryCodes: ReadonlyMap<number, string> = new Map([
  [3, 'SQLITE_PERM'],
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
  [26, 'SQLITE_NOTADB'],
])
