import { countStatements } from '@storeport/testing/count-statements'
import { describeSqlite } from '@storeport/testing/stores/describe-databases'
import { expect, it } from 'vitest'
import { countOperations, customers, expected, today } from './count-operations.ts'

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
})
