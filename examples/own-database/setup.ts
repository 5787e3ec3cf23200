import { readFile } from 'node:fs/promises'
import { sqlLedgerTable } from '@storeport/core'
import { pool } from './database.ts'

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
// Several statements in one query are one transaction: an existing table creates nothing.
await pool.query([await read('schema.sql'), sqlLedgerTable('postgres'), await read('sample.sql')].join('\n'))
await pool.end()
console.log('tables created')
