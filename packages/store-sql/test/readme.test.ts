import { readFile } from 'node:fs/promises'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const [everywhere, inLists] = [...readme.matchAll(/```sql\n(.*?)```/gs)].map(([, block = '']) => block.split(';'))

await describeDatabases('the README', (database) => {
  const [postgres, sqlite] = inLists ?? []
  const statements = [...(everywhere ?? []), database.name === 'SQLite' ? sqlite : postgres]

  it('contains valid SQL statements', async () => {
    const store = await database.open({ today: '2026-03-10' })
    for (const statement of statements.filter((each) => each?.trim())) {
      const { rows } = await store.database.transaction((db) => sql.raw<object>(statement ?? '').execute(db))
      if (/discounts|subscriptions/.test(statement ?? '')) expect(rows.length, statement).toBeGreaterThan(0)
    }
  })
})
