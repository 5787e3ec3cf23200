import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import Libsql from 'libsql'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { claimed, countClaimed, countOperations, customers, expected, today } from './count-operations.ts'

const statement: { run(): void; get(): void; all(): void } = Object.getPrototypeOf(
  new Libsql(':memory:').prepare('select 1'),
)
const sent = [
  ...(['run', 'get', 'all'] as const).map((name) => vi.spyOn(statement, name)),
  vi.spyOn(Libsql.prototype, 'exec'),
  vi.spyOn(pg.Client.prototype, 'query'),
]

/** Returns the numbers of statements that this process has sent, including `begin` and `commit`. */
function counts() {
  const calls = sent.flatMap((spy): unknown[][] => spy.mock.calls)
  return { statements: calls.length, commits: calls.filter(([first]) => first === 'commit').length }
}

await describeDatabases('each method', (database) => {
  const [dialect, claims] = database.name === 'SQLite' ? (['sqlite', 1] as const) : (['postgres', 0] as const)
  const countsIn = (rows: typeof expected | typeof claimed, more = 0) =>
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [name, { statements: row[dialect], commits: row.commits + more }]),
    )

  it.each(customers)(
    'uses the expected number of statements and commits for a customer with $name',
    async ({ size }) => {
      const store = await database.open({ today, poolSize: 1 })
      expect(await countOperations(store, size, counts)).toEqual(countsIn(expected))
    },
  )

  it('uses the expected number of statements and commits if the integration claims the click', async () => {
    const store = await database.open({ today, poolSize: 1, charge: async () => {} })
    expect(await countClaimed(store, counts)).toEqual(countsIn(claimed, claims))
  })
})
