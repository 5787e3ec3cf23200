import { expect, it, vi } from 'vitest'
import type { Click, Ledger } from '@storeport/core'
import { behavesLikeLedger, click, pasts } from '@storeport/testing/behaves-like-ledger'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { createClickTable } from '../../src/clicks/click-table.ts'
import { createSweep } from '../../src/clicks/create-sweep.ts'
import { sqlLedger } from '../../src/clicks/sql-ledger.ts'

await describeDatabases('ledger', (database) => {
  behavesLikeLedger(database.name, async (clock) =>
    sqlLedger((await database.open()).database, { now: () => clock.now }),
  )

  it.each(Object.entries(pasts))(
    'lets one of 40 claims at once of a click that is %s run, over two connections',
    async (_, become) => {
      const url = await database.create()
      const stores = [await openSqlStore({ url }), await openSqlStore({ url })]
      const clock = { now: 1_000_000 }
      const ledgers = stores.map((store) => sqlLedger(store.database, { now: () => clock.now }))
      const [first] = ledgers
      // The race is narrow: an expired click is taken over between two statements of another.
      for (let round = 0; round < 8; round++) {
        if (first !== undefined) await become(first, clock)
        const claims = await Promise.all(
          Array.from({ length: 40 }, (__, index) =>
            ledgers[index % 2]?.claim(click({ idempotencyKey: `${round}-${index}` }), true),
          ),
        )
        expect(
          claims.filter((claim) => claim?.state === 'claimed'),
          `round ${round}`,
        ).toHaveLength(1)
        expect(claims.filter((claim) => claim?.state === 'running')).toHaveLength(39)
        const winner = claims.findIndex((claim) => claim?.state === 'claimed')
        await first?.settle(click({ idempotencyKey: `${round}-${winner}` }), 'refused')
      }
      await Promise.all(stores.map((store) => store.close()))
    },
  )

  it('knows the last success of a customer, however many are settled at once', async () => {
    const url = await database.create()
    const stores = [await openSqlStore({ url }), await openSqlStore({ url })]
    const clicks = Array.from({ length: 6 }, (_, index) => click({ id: `click-${index}`, fingerprint: `fp-${index}` }))
    const onEach = (run: (ledger: Ledger, one: Click) => unknown) =>
      Promise.all(
        clicks.map((one, index) => {
          const ledger = stores[index % 2]?.ledger
          return ledger && run(ledger, one)
        }),
      )
    for (let round = 0; round < 8; round++) {
      await onEach((ledger, one) => ledger.claim(one, true))
      await onEach((ledger, one) => ledger.settle(one, 'done'))
      const claims = await onEach((ledger, one) => ledger.claim(one, true))
      const states = claims.map((claim) => Object(claim).state)
      // The last one is not decided while others, which run again, have not ended.
      expect(
        states.filter((state) => state !== 'claimed'),
        `round ${round}`,
      ).toHaveLength(1)
      await onEach((ledger, one) => ledger.settle(one, 'refused'))
    }
    await Promise.all(stores.map((store) => store.close()))
  })

  it('settles a click that another process claimed', async () => {
    const url = await database.create()
    const [one, other] = [await openSqlStore({ url }), await openSqlStore({ url })]
    await one.ledger.claim(click(), true)
    await other.ledger.settle(click(), 'done')
    expect(await one.ledger.claim(click(), true)).toMatchObject({ state: 'done' })
    await Promise.all([one.close(), other.close()])
  })

  it('forgets what expired an hour ago, in small steps, and nothing else', async () => {
    const { database: opened } = await database.open()
    const table = createClickTable(opened.dialect, () => 10_000_000)
    const count = async () => (await opened.read((db) => db.selectFrom('clicks').select('id').execute())).length
    const hourAgo = 10_000_000 - 3_600_000
    const rows = Array.from({ length: 702 }, (_, index) => ({
      ...{ id: `click-${index}`, customer: 'c', fingerprint: 'f', named: false, state: 'done' as const },
      ...{ idempotency_key: 'k', try_key: 'k', ordinal: index, first_try_at: 0, since: 0, until: 0 },
      expires_at: hourAgo - 700 + index,
    }))
    await opened.transaction((db) => db.insertInto('clicks').values(rows).execute())
    const sweep = createSweep(opened, table)
    sweep()
    await vi.waitFor(async () => expect(await count()).toBe(202), { timeout: 10_000 })
    // What is removed can be seen before the step has ended, during which there is no other.
    const sweepAgain = async () => {
      sweep()
      expect(await count()).toBe(1)
    }
    await vi.waitFor(sweepAgain, { timeout: 10_000 })
  })
})
