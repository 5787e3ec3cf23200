import pg from 'pg'

/** A PostgreSQL server whose databases a test may make and ask. */
export interface PostgresDatabases {
  /** The address of the database of its owner, which holds none of a test's tables. */
  readonly address: string
  /** Makes an empty database and returns its address. */
  createDatabase(): Promise<string>
  /** Removes a database that this made, and ends every connection to it. */
  dropDatabase(address: string): Promise<void>
  /** Runs statements as the server's owner; in the database of an address, or in none of the tests'. */
  query(sql: string, address?: string): Promise<readonly Record<string, unknown>[]>
}

/** The databases of the server at an address. */
export function postgresAt(address: string): PostgresDatabases {
  const addressOf = (database: string) => Object.assign(new URL(address), { pathname: `/${database}` }).href
  const query: PostgresDatabases['query'] = async (sql, at = address) => {
    const client = new pg.Client({ connectionString: at })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows
    } finally {
      await client.end()
    }
  }
  return {
    address,
    query,
    createDatabase: async () => {
      const name = `test_${crypto.randomUUID().replaceAll('-', '_')}`
      await query(`create database ${name}`)
      return addressOf(name)
    },
    dropDatabase: async (made) => {
      const drop = `drop database if exists ${new URL(made).pathname.slice(1)}`
      // Without force, the server waits 5 s for closing connections. A client that force terminates meanwhile throws.
      await query(drop).catch(() => query(`${drop} with (force)`))
    },
  }
}
