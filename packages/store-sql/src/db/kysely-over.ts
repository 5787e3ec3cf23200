import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type LogEvent } from 'kysely'
import type { Tables } from './schema.ts'
import type { Send } from './connections.ts'

/** What a dialect has besides its connections. */
export type Language = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

/** Kysely over one connection that somebody else opened and will close; the store begins its transactions itself. */
export function kyselyOver(send: Send, language: Language, onStatement?: OnStatement): Kysely<Tables> {
  const run = async (statement: string) => void (await send(statement, []))
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => {
      const { rows, changes } = await send<Row>(sql, parameters)
      return { rows: [...rows], numAffectedRows: BigInt(changes) }
    },
    streamQuery: () => {
      throw new Error('Rows are not streamed.')
    },
  }
  return new Kysely<Tables>({
    dialect: {
      ...language,
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

/** Makes the statements of a connection known as well. */
export function sendOver(send: Send, onStatement: OnStatement | undefined): Send {
  if (onStatement === undefined) return send
  return async (statement, parameters) => {
    const sent = await send<never>(statement, parameters)
    onStatement(statement)
    return sent
  }
}

/** Called with the text of every statement. */
export type OnStatement = (sql: string) => void
