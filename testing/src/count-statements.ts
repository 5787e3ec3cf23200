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
  const database = new Libsql(':memory:')
  const statement: object = Object.getPrototypeOf(database.prepare('select 1'))
  database.close()
  for (const name of ['run', 'get', 'all']) countCalls(statement, name, countStatement)
  countCalls(Libsql.prototype, 'exec', countStatement)
  countCalls(Libsql.prototype, 'exec', countCommit)
  countCalls(pg.Client.prototype, 'query', countStatement)
  countCalls(pg.Client.prototype, 'query', countCommit)
  return counts
}

/** Calls `count` with the first argument after each call of a prototype method. Throws if the method does not exist. */
function countCalls(prototype: object, name: string, count: (first: unknown) => void): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`Method ${name} not found.`)
  Reflect.set(prototype, name, function countedMethod(this: unknown, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, values)
    count(values[0])
    return result
  })
}
