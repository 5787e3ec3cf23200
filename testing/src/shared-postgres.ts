import { inject } from 'vitest'
import { type PostgresDatabases, postgresAt } from './postgres-at.ts'

/** The PostgreSQL server of this run of tests; throws, with the reason, where none can start. */
export async function sharedPostgres(): Promise<PostgresDatabases> {
  const response = await fetch(inject('postgresOnDemand'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return postgresAt(text)
}
