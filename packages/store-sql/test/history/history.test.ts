import { createHistory, createIntegration, createSqlHistory, sqlHistoryTable } from '@storeport/core'
import type { SqlRun } from '@storeport/core/sql'
import { describeDatabases, fastFolder } from '@storeport/testing/describe-databases'
import { sql } from 'kysely'
import Database from 'libsql'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { SqlStore } from '@storeport/store-sql'

const today = '2026-03-10'
const email = 'subscription@example.com'
const key = 'a-key-of-the-tests-0001'
const keys = ['k'.repeat(32)]

await describeDatabases('the history of a store', (database) => {
  /** Creates an integration with a history, and a function that sends a click. */
  function integrate(store: SqlStore, onError = (error: unknown) => expect(error).toBeUndefined()) {
    const history = createHistory(store.history, { keys, onError })
    const integration = createIntegration({ store, history, apiKeys: [key] })
    const post = async (path: string, body: object) => {
      const answer = await integration.answer({
        ...{ method: 'POST', path: `/integration${path}`, query: '' },
        header: (name) => ({ 'x-integration-api-key': key, 'content-type': 'application/json' })[name],
        text: async () => JSON.stringify({ email, ...body }),
      })
      return answer.status
    }
    return { history, post }
  }

  it('names no customer in its rows, and is read and erased by the email', async () => {
    const store = await database.open({ today })
    const { history, post } = integrate(store)
    const add = { product_id: 'test_54321' }
    const statuses = [
      await post('/upsells/add-product', add),
      await post('/upsells/add-product', add),
      await post('/customer-portal/send-now', {}),
      await post('/customer-portal/delay', { new_date: '2026-03-01' }),
      await post('/customer-portal/send-now', { email: 'another@example.com' }),
    ]
    expect(statuses).toEqual([200, 200, 200, 400, 200])
    const { records, unreadable } = await history.read({ email: email.toUpperCase() })
    expect(records.map(({ operation, status, replayed, code }) => [operation, status, replayed ?? code])).toEqual([
      ['addProduct', 200, undefined],
      ['addProduct', 200, true],
      ['sendNow', 200, undefined],
      ['delaySubscription', 400, 'invalid_date'],
    ])
    expect(unreadable).toBe(0)
    const failed = await history.read({ failed: true, since: Date.now() - 60_000 })
    expect(failed.records).toEqual([records[3]])
    expect((await history.read({ requestId: records[3]?.requestId })).records).toEqual([records[3]])
    expect((await history.read({ requestId: records[0]?.requestId })).records).toEqual([])
    expect((await history.read({ limit: 1 })).records).toHaveLength(1)

    const rows = await store.database.read((db) => sql`select * from click_history`.execute(db))
    expect(rows.rows).toHaveLength(5)
    expect(JSON.stringify(rows.rows)).not.toMatch(/example\.com|test_54321/)
    expect(await history.erase(email)).toBe(4)
    expect((await history.read()).records.map((record) => record.email)).toEqual(['another@example.com'])
  })

  it('does not fail or delay clicks while its table is missing', async () => {
    const store = await database.open({ today })
    let failures = 0
    const { history, post } = integrate(store, () => (failures += 1))
    const rename = (from: string, to: string) =>
      store.database.transaction((db) => sql.raw(`alter table ${from} rename to ${to}`).execute(db))
    await rename('click_history', 'away')
    expect(await post('/customer-portal/send-now', {})).toBe(200)
    await history.flush()
    expect([failures, history.counts()]).toEqual([1, { waiting: 1, dropped: 0 }])
    await rename('away', 'click_history')
    expect((await history.read({ email })).records).toHaveLength(1)
  })
})

it('writes a file that contains no email', async () => {
  const folder = await mkdtemp(join(fastFolder, 'storeport-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'history.db')
  const db = new Database(file)
  const run: SqlRun = (text, parameters) => {
    const statement = db.prepare(text)
    if (statement.reader) return { rows: statement.all(parameters), changes: 0 }
    return { rows: [], changes: statement.run(parameters).changes }
  }
  db.exec(sqlHistoryTable('sqlite'))
  const history = createHistory(createSqlHistory({ dialect: 'sqlite', run }), { keys })
  const entry = {
    scope: 's',
    input: { product_id: 'tea' },
    namedKey: email,
    status: 200,
    ms: 1,
    apiKey: key,
    requestId: 'request',
  }
  for (let at = 0; at < 250; at++)
    history.record({ ...entry, email: `a${at}@mail.example`, at: Date.now(), operation: 'sendNow' })
  await history.flush()
  expect((await history.read({ email: 'A7@mail.example' })).records).toMatchObject([{ namedKey: email }])
  db.close()
  const bytes = await readFile(file, 'latin1')
  expect(bytes).toContain('request')
  expect(bytes).not.toMatch(/mail\.example|subscription@|a-key-of-the-tests|kkkkkkkk/)
})
