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

/** Problem and action for the operator, by error code. */
const advices: readonly (readonly [code: RegExp, problem: string, action: string])[] = [
  [/^SQLITE_NOTADB/, 'is not a SQLite database', 'Choose another file'],
  [/^SQLITE_CORRUPT/, 'is damaged', 'Remove the -wal and -shm files next to it, and restore the file from a backup'],
  [/^SQLITE_FULL/, 'cannot grow because the disk is full', 'Free disk space'],
  [/^SQLITE_(READONLY|PERM)/, 'cannot be written', 'Grant this user write permission for the file and its folder'],
  [/^SQLITE_CANTOPEN/, 'cannot be opened', 'Create its folder, or grant this user write permission for the folder'],
  [/^SQLITE_IOERR/, 'cannot be read or written', 'Check the disk'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is locked by another program', 'Stop that program'],
]

/** Returns a message for the operator: why the file cannot be used, and what to do. */
export function explainSqlite(error: unknown, file: string): string {
  const code = sqliteCode(error) ?? ''
  const message = error instanceof Error ? withoutEmails(error.message) : 'unexpected error'
  const foreign = ['contains tables from another program', 'Use a separate file for the store'] as const
  const [, problem, action] =
    advices.find(([known]) => known.test(code)) ?? (message.includes('already exists') ? [code, ...foreign] : [])
  if (problem === undefined) return `The SQLite file ${file} cannot be used (${code === '' ? message : code}).`
  return `The SQLite file ${file} ${problem} (${code}). ${action}.`
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
