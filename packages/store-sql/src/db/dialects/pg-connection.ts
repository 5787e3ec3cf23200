import type { ClientBase } from 'pg'
import type { Send } from '../connections.ts'

/** Texts that are prepared once on every connection; those of a store are far fewer. */
const maxNames = 500
const names = new Map<string, string>()

/**
 * Runs statements over a connection of pg. Every text is prepared under a name of its own, so that the server plans it
 * once for a connection: planning takes longer than running.
 */
export function pgSend(client: ClientBase): Send {
  return async <Row>(text: string, parameters: readonly unknown[]) => {
    const name = nameOf(text)
    const values = [...parameters]
    const { rows, rowCount } = await client.query<Row & object>(
      name === undefined ? { text, values } : { name, text, values },
    )
    return { rows, changes: rowCount ?? 0 }
  }
}

function nameOf(sql: string): string | undefined {
  const known = names.get(sql)
  if (known !== undefined || names.size >= maxNames) return known
  const name = `storeport_${names.size}`
  names.set(sql, name)
  return name
}
