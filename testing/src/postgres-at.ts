import pg from 'pg'

/** Access to a PostgreSQL server on which a test creates and queries databases. */
export interface PostgresDatabases {
  /** URL of the owner's database, which contains no test tables. */
  readonly url: string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Drops a database and closes every connection to it. */
  dropDatabase(url: string): Promise<void>
  /** Runs SQL statements as the owner of the server, by default in the owner's database. */
  query(sql: string, url?: string): Promise<readonly Record<string, unknown>[]>
}

/** Returns access to the PostgreSQL server at a URL. */
export function postgresAt(url: string): PostgresDatabases {
  const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
  const query: PostgresDatabases['query'] = async (sql, connectionString = url) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql)
      return rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    query,
    createDatabase: async () => {
      const name = `test_${crypto.randomUUID().replaceAll('-', '_')}`
      await query(`create database ${name}`)
      return urlOf(name)
    },
    dropDatabase: async (database) => {
      const drop = `drop database if exists ${new URL(database).pathname.slice(1)}`
      // First waits up to 5 s for clients to disconnect, because `force` makes connected clients throw.
      await query(drop).catch(() => query(`${drop} with (force)`))
    },
  }
}
