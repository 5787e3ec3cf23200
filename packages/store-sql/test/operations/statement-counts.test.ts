import { countStatements } from '@storeport/testing/count-statements'
import { describeSqlite } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'
import { claimed, countClaimed, countOperations, customers, expected, today } from './count-operations.ts'

await describeSqlite('each method', (database) => {
  const counts = countStatements()

  it.each(customers)(
    'uses the expected number of statements and commits for a customer with $name',
    async ({ size }) => {
      const store = await database.open({ today })
      expect(await countOperations(store, size, () => counts)).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([name, { sqlite, commits }]) => [name, { statements: sqlite, commits }]),
        ),
      )
    },
  )

  it('uses the expected number of statements and commits if the integration claims the click', async () => {
    const store = await database.open({ today, charge: async () => {} })
    expect(await countClaimed(store, () => counts)).toEqual(
      Object.fromEntries(
        Object.entries(claimed).map(([name, { sqlite, commits }]) => [
          name,
          { statements: sqlite, commits: commits + 1 },
        ]),
      ),
    )
  })
})
