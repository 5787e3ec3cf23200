import { readShopOptions, seed } from '@storeport/rules'
import { describe, expect, it } from 'vitest'
import { createOperations } from '../../src/create-operations.ts'
import { createDatabase } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { readStoreUrl } from '../../src/db/open-connections.ts'
import { click, oneOf, send } from '@storeport/testing/clicks'
import { describePostgres } from '@storeport/testing/stores/describe-databases'

const today = '2026-03-10'

// Some PostgreSQL-compatible databases use the strict levels, which cause serialization failures.
await describePostgres('isolation levels', (database) => {
  describe.each(['read committed', 'repeatable read', 'serializable'] as const)(
    'the isolation level %s',
    (isolation) => {
      it('applies every change exactly once', { timeout: 60_000 }, async () => {
        const url = await database.create()
        const email = 'subscription@example.com'
        const customers = Array.from({ length: 10 }, (_, index) => ({ email: `customer${index}@example.com` }))
        const discounts = [{ code: 'FEW', discount_type: 'fixed_amount', discount_amount: 1, max_uses: 4 } as const]
        const data = { ...seed(today), customers: [...seed(today).customers, ...customers], discounts }
        const store = await database.open({ url, today, data })

        const place = readStoreUrl(url)
        if (place.dialect !== 'postgres') throw new Error('Expected a PostgreSQL URL.')
        const connections = openPostgres(place, { poolSize: 8, statementTimeoutMs: 60_000 }, isolation)
        const strict = createOperations(createDatabase(connections), readShopOptions({ today }))

        const clicks = [
          ...Array.from({ length: 15 }, () => click('addProduct', { email, ...oneOf('test_54321') })),
          ...Array.from({ length: 5 }, () => click('sendNow', { email: 'another@example.com' })),
          ...customers.map((customer) =>
            click('addProduct', { ...customer, ...oneOf('test_12345'), discount_code: 'few' }),
          ),
        ]
        const outcomes = await Promise.all(clicks.map((each) => send(strict, each)))
        const counted = (expected: string) => outcomes.filter((outcome) => outcome === expected).length
        expect([counted('done'), counted('order_already_processing'), counted('invalid_discount_code')]).toEqual([
          15 + 1 + 4,
          4,
          6,
        ])
        expect((await store.account(email))?.adds).toHaveLength(15)
        expect(await store.orders('another@example.com')).toHaveLength(1)
        await connections.close()
      })
    },
  )
})
