import type { TestProject } from 'vitest/node'
import { listening } from './listen.ts'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

/** Settings without disk synchronization, because the data does not need to survive a crash of the machine. */
export const fastSettings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']

/**
 * Provides one PostgreSQL server for a test run, as vitest's `globalSetup`. The first `sharedPostgres` call starts it.
 *
 * Tests that stop a server or close connections start their own server.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined
  const starter = await listening((_request, response) => {
    server ??= startPostgres(fastSettings)
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : 'unknown reason'),
    )
  })
  project.provide('postgresOnDemand', starter.url)
  return async () => {
    await starter.stop()
    await (await server?.catch(() => undefined))?.stop()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** HTTP URL that starts the shared PostgreSQL server and returns its connection URL. */
    postgresOnDemand: string
  }
}
