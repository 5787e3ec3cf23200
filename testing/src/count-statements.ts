import { countCalls } from './count-calls.ts'
import { countSqliteStatements } from './count-sqlite-statements.ts'
import Libsql from 'libsql'
import pg from 'pg'

/** What a process has sent to its database. */
export interface StatementCounts {
  /** Statements, the beginning and the end of transactions included. */
  statements: number
  /** Those that commit. */
  commits: number
}

/** Counts from now on what this process sends through the drivers of SQLite and PostgreSQL. */
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
