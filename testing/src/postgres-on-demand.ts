import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

/** What a crash of the machine would lose is not what the tests are about, so nothing waits for a disk. */
export const fastSettings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']

/**
 * For vitest's `globalSetup`: one PostgreSQL server for a whole run, which starts when the first test asks for it.
 *
 * Tests reach it by `sharedPostgres()`; those that stop a server, or end its connections, start one of their own.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const starter = createServer((_request, response) => {
    server ??= startPostgres(fastSettings)
    server.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : 'no reason given'),
    )
  }).listen(0, '127.0.0.1')
  await once(starter, 'listening')
  const listening = starter.address()
  if (typeof listening !== 'object' || listening === null) throw new Error('the starter has no port')
  project.provide('postgresOnDemand', `http://127.0.0.1:${listening.port}`)
  return async () => {
    starter.close()
    starter.closeAllConnections()
    await (await server?.catch(() => undefined))?.stop()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the address of the run's PostgreSQL server is asked for, which starts it. */
    postgresOnDemand: string
  }
}
