import { countCalls } from './count-calls.ts'
import { countSqliteStatements } from './count-sqlite-statements.ts'
import Libsql from 'libsql'
import pg from 'pg'

/** Numbers of statements that this process sent to its database. */
export interface StatementCounts {
  /** All statements, including `begin` and `commit`. */
  statements: number
  commits: number
}

/** Starts counting the statements that this process sends through the SQLite and PostgreSQL drivers. */
export function countStatements(): StatementCounts {
  const counts = { statements: 0, commits: 0 }
  const countStatement = () => {
    counts.statements += 1
  }
  const countCommit = (first: unknown) => {
    if (first === 'commit') counts.commits += 1
  }
  countSqliteStatements(countStatement)
  countCalls(Libsql.prototype, 'exec', countCommit)
  countCalls(pg.Client.prototype, 'query', countStatement)
  countCalls(pg.Client.prototype, 'query', countCommit)
  return counts
}
