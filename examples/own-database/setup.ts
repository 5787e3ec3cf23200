import { readFile } from 'node:fs/promises'
import { addDays } from '@storeport/core'
import { sqlLedgerTable } from '@storeport/core/sql'
import { close, dialect, run } from './database.ts'
import { today } from './load.ts'

const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
// In the sample, the placeholder `{+14}` stands for the date in 14 days.
const sample = (await read('sample.sql')).replaceAll(/\{([+-]\d+)\}/g, (_, days) => addDays(today(), Number(days)))
const tables = [await read(`schema.${dialect}.sql`), sqlLedgerTable(dialect)].join('\n')
// If the tables already exist, the first statement fails and nothing changes.
for (const statement of `${tables}\n${sample}`.split(/;\n/)) if (statement.trim() !== '') await run(statement, [])
await close()
console.log('tables created')
