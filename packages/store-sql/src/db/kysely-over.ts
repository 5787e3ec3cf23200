import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type LogEvent } from 'kysely'
import type { Tables } from './schema.ts'
import type { Send } from './connections.ts'

/** The parts of a Kysely dialect other than the driver. */
export type DialectParts = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

/**
 * Creates a query builder for an open connection. The query builder does not close the connection or begin
 * transactions.
 */
export function kyselyOver(send: Send, parts: DialectParts, onStatement?: OnStatement): Kysely<Tables> {
  const run = async (statement: string) => void (await send(statement, []))
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
      const { rows, changes } = await send<Row>(sql, parameters)
      return { rows: [...rows], numAffectedRows: BigInt(changes) }
    },
    streamQuery: () => {
      throw new Error('Streaming is not supported.')
    },
  }
  return new Kysely<Tables>({
    dialect: {
      ...parts,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: () => run('begin'),
        commitTransaction: () => run('commit'),
        rollbackTransaction: () => run('rollback'),
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
    ...(onStatement && { log: (event: LogEvent) => onStatement(event.query.sql) }),
  })
}

/** Wraps `send` so that `onStatement` is called after each successful statement. */
export function observeSend(send: Send, onStatement: OnStatement | undefined): Send {
  if (onStatement === undefined) return send
  return async (statement, parameters, isSingle) => {
    const sent = await send<never>(statement, parameters, isSingle)
    onStatement(statement)
    return sent
  }
}

/** Called with the SQL of every statement. */
export type OnStatement = (sql: string) => void
