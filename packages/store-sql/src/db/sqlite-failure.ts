import { withoutEmails } from '@storeport/core'
import type { Failure } from './connections.ts'

/** Classifies an error from libsql. */
export function sqliteFailure(error: unknown): Failure | undefined {
  const code = sqliteCode(error)
  if (code === undefined) return undefined
  if (isBusy(error)) return { retry: true, broken: true, lost: false }
  // SQLite reports a full disk or a read-only file before the commit. After an I/O error, the outcome is unknown.
  if (/^SQLITE_(FULL|READONLY|PERM)/.test(code)) return { retry: false, broken: false, lost: false }
  if (/^SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/.test(code))
    return { retry: false, broken: true, lost: true }
  return undefined
}

/** Returns whether another connection held the lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')
}

/** Returns whether SQLite found damaged pages, or a file that is not a database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? '')
}

/** Returns a message for the operator: why the file cannot be used, and what to do. */
export function explainSqlite(error: unknown, file: string): string {
  const code = sqliteCode(error) ?? ''
  const explain = (problem: string, action: string) => `The SQLite file ${file} ${problem} (${code}). ${action}.`
  if (code.startsWith('SQLITE_NOTADB')) return explain('is not a SQLite database', 'Choose another file')
  if (code.startsWith('SQLITE_CORRUPT'))
    return explain('is damaged', 'Remove the -wal and -shm files next to it, and restore the file from a backup')
  if (code.startsWith('SQLITE_FULL')) return explain('cannot grow because the disk is full', 'Free disk space')
  if (/^SQLITE_(READONLY|PERM)/.test(code)) {
    return explain('cannot be written', 'Grant this user write permission for the file and its folder')
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    return explain('cannot be opened', 'Create its folder, or grant this user write permission for the folder')
  }
  if (code.startsWith('SQLITE_IOERR')) return explain('cannot be read or written', 'Check the disk')
  if (isBusy(error)) return explain('is locked by another program', 'Stop that program')
  if (error instanceof Error && error.message.includes('already exists')) {
    return explain('contains tables from another program', 'Use a separate file for the store')
  }
  const reason = error instanceof Error ? withoutEmails(error.message) : 'unexpected error'
  return `The SQLite file ${file} cannot be used (${code === '' ? reason : code}).`
}

/**
 * Returns the name of SQLite's result code. libsql sets no code for a file that cannot be opened. For an extended code
 * that libsql does not support, the error contains a number whose lowest byte is the primary code.
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
