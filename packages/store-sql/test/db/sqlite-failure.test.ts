import { expect, it } from 'vitest'
import { explainSqlite, isBusy, sqliteFailure } from '../../src/db/sqlite-failure.ts'

/** Creates an error like the error that libsql throws for an unknown extended code. */
function unknownToDriver(number: number): Error {
  return Object.assign(new Error('message of SQLite'), { code: `UNKNOWN_SQLITE_ERROR_${number}`, rawCode: number })
}

it.each([
  ['SQLITE_READONLY_DIRECTORY', 1544, { retry: false, broken: false, lost: false }, 'cannot be written'],
  ['SQLITE_BUSY_TIMEOUT', 773, { retry: true, broken: true, lost: false }, 'is locked by another program'],
  ['SQLITE_IOERR_CORRUPTFS', 8458, { retry: false, broken: true, lost: true }, 'Check the disk'],
  ['SQLITE_CANTOPEN_SYMLINK', 1550, { retry: false, broken: true, lost: true }, 'cannot be opened'],
  ['SQLITE_CORRUPT_INDEX', 779, { retry: false, broken: true, lost: true }, 'is damaged'],
])('classifies %s, which libsql does not support, like its primary code', (_, number, failure, message) => {
  const error = unknownToDriver(number)
  expect(sqliteFailure(error)).toEqual(failure)
  expect(isBusy(error)).toBe(failure.retry)
  expect(explainSqlite(error, 'shop.db')).toContain(message)
})

it('returns undefined for the code of an invalid statement', () => {
  expect(sqliteFailure(unknownToDriver(1 + 256 * 9))).toBeUndefined()
})
