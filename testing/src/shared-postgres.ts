import { inject } from 'vitest'
import { type PostgresDatabases, postgresAt } from './postgres-at.ts'

/** Returns the shared PostgreSQL server of this test run. Throws if the server cannot start. */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const response = await fetch(inject('postgresOnDemand'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return postgresAt(text)
}
