import { CompiledQuery, type DatabaseConnection, type Dialect, Kysely, type LogEvent } from 'kysely'
import type { Tables } from '../../schema.ts'

/** What a dialect has besides its connections. */
export type Language = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

/** Kysely over one connection that somebody else opened and will close; the store begins its transactions itself. */
export function kyselyOver(
  connection: DatabaseConnection,
  language: Language,
  onStatement?: OnStatement,
): Kysely<Tables> {
  const send = async (sql: string) => void (await connection.executeQuery(CompiledQuery.raw(sql)))
  return new Kysely<Tables>({
    dialect: {
      ...language,
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: () => send('begin'),
        commitTransaction: () => send('commit'),
        rollbackTransaction: () => send('rollback'),
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
    ...(onStatement && { log: (event: LogEvent) => onStatement(event.query.sql) }),
  })
}

/** Called with the text of every statement. */
export type OnStatement = (sql: string) => void
