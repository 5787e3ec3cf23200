import type { DatabaseConnection } from 'kysely'
import type { ClientBase } from 'pg'

/** Texts that are prepared once on every connection; those of a store are far fewer. */
const maxNames = 500
const names = new Map<string, string>()

/**
 * A connection of pg as Kysely wants it. Every text is prepared under a name of its own, so that the server plans it
 * once for a connection: planning takes longer than running.
 */
export function pgConnection(client: ClientBase): DatabaseConnection {
  return {
    executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      const name = nameOf(sql)
      const statement = { text: sql, values: [...parameters], ...(name !== undefined && { name }) }
      const { rows, rowCount } = await client.query<Row & object>(statement)
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery: () => {
      throw new Error('Rows are not streamed.')
    },
  }
}

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `storeport_${names.size}`
  names.set(sql, name)
  return name
}
