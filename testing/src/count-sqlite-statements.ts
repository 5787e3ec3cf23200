import Libsql from 'libsql'
import { countCalls } from './count-calls.ts'

/**
 * Runs `count` after each SQLite statement of this process, including the start and end of transactions.
 * A store reports only the statements between the start and the end of a transaction.
 */
export function countSqliteStatements(count: () => void): void {
  const database = new Libsql(':memory:')
  const statement: object = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  for (const name of ['run', 'get', 'all']) countCalls(statement, name, count)
  countCalls(Libsql.prototype, 'exec', count)
}
