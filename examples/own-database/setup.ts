import { readFile } from 'node:fs/promises'
import { addDays } from '@storeport/core'
import { sqlLedgerTable } from '@storeport/core/sql'
import { today } from './account.ts'
import { pool } from './pool.ts'

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
// In the sample, the placeholder `{+14}` stands for the date in 14 days.
const sample = (await read('sample.sql')).replaceAll(/\{([+-]\d+)\}/g, (_, days) => addDays(today(), Number(days)))
const statements = [await read('schema.sql'), sqlLedgerTable('postgres'), sample].join('\n')
try {
  // One query is one transaction. If the tables already exist, nothing changes.
  await pool.query(statements)
  console.log('tables created')
} catch (error) {
  process.exitCode = 1
  const { message, code }: { message?: string; code?: string } = Object(error)
  console.error(`The tables were not created (${message || code}). Set DATABASE_URL to the URL of an empty database.`)
}
await pool.end()
