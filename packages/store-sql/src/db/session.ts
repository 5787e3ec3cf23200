import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { ConnectionOptions, Send, Session } from './connections.ts'

/** The parts of a Kysely dialect other than the driver. */
type DialectParts = Pick<Dialect, 'createAdapter' | 'createIntrospector' | 'createQueryCompiler'>

/** Creates a session. `onStatement` is called after each successful statement. */
export function createSession(
  sendRaw: Send,
  parts: DialectParts,
  onStatement: ConnectionOptions['onStatement'],
): Session {
  const send: Send =
    onStatement === undefined
      ? sendRaw
      : async (statement, parameters, isSingle) => {
          const sent = await sendRaw<never>(statement, parameters, isSingle)
          onStatement(statement)
          return sent
        }
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
  const db = new Kysely<Tables>({
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
  })
  return { db, send }
}
