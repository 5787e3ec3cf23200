import Libsql from 'libsql'
import { countCalls } from './count-calls.ts'

/** Calls `count` after each SQLite statement of this process, including `begin` and `commit` statements. */
export function countSqliteStatements(count: () => void): void {
  const database = new Libsql(':memory:')
  const statement: object = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  for (const name of ['run', 'get', 'all']) countCalls(statement, name, count)
  countCalls(Libsql.prototype, 'exec', count)
}
