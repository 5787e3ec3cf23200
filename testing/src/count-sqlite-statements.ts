import Libsql from 'libsql'

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

function countCalls(prototype: object, name: string, count: () => void): void {
  const method: unknown = Reflect.get(prototype, name)
  if (typeof method !== 'function') throw new Error(`libsql has no method ${name}`)
  Reflect.set(prototype, name, function countedMethod(this: unknown, ...values: unknown[]): unknown {
    const result: unknown = Reflect.apply(method, this, values)
    count()
    return result
  })
}
