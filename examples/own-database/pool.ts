import pg from 'pg'

const report = (error: Error) => console.error('connection closed:', error.message)

/** The connections to the database. The pool replaces lost connections. */
export const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  keepAlive: true,
  // A request waits at most 3 seconds for a connection, 5 for a lock and 8 for a statement, and then fails with 503.
  connectionTimeoutMillis: 3000,
  query_timeout: 8000,
  onConnect: async (client) => {
    // Without a listener, the end of a connection ends the process.
    client.on('error', report)
    // Statements, because PgBouncer rejects these settings at the start of a connection.
    await client.query('set lock_timeout = 5000; set idle_in_transaction_session_timeout = 12000')
  },
})
pool.on('error', report)
// Prisma releases a connection whose rollback timed out, so the next commit would include its open transaction.
pool.on('release', (_, client) => {
  if (client.getTransactionStatus() !== 'I') void client.end()
})
