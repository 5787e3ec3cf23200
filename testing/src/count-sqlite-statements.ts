import Libsql from 'libsql'
import { countCalls } from './count-calls.ts'

/**
 * Calls back after each statement that this process runs over SQLite, the beginning and the end of a transaction
 * included: a store reports the statements between them only.
 */
export function countSqliteStatements(count: () => void): void {
  const database = new Libsql(':memory:')
  const statement: object = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  for (const name of ['run', 'get', 'all']) countCalls(statement, name, count)
  countCalls(Libsql.prototype, 'exec', count)
}
