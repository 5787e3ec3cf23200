import pg from 'pg'

/** A PostgreSQL server on which a test can create and query databases. */
export interface PostgresDatabases {
  /** URL of the owner's database, which contains no test tables. */
  readonly address: string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Drops a database and closes every connection to it. */
  dropDatabase(address: string): Promise<void>
  /** Runs statements as the owner of the server, in the database of a URL or in the owner's database. */
  query(sql: string, address?: string): Promise<readonly Record<string, unknown>[]>
}

/** Returns access to the databases of the server at a URL. */
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
      // Drops without force first: the server waits 5 s for closing connections, and a client terminated by force throws.
      await query(drop).catch(() => query(`${drop} with (force)`))
    },
  }
}
