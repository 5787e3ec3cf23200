import { expect, it } from 'vitest'
import type { Click, Ledger } from '@storeport/core'
import { behavesLikeLedger, click, pasts } from '@storeport/testing/behaves-like-ledger'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'

await describeDatabases('ledger', (database) => {
  behavesLikeLedger(database.name, async (clock) => (await database.open()).ledger({ now: () => clock.now }))

  it.each(Object.entries(pasts))(
    'lets one of 40 claims at once of a click that is %s run, over two connections',
    async (_, become) => {
      const url = await database.create()
      const stores = [await openSqlStore({ url }), await openSqlStore({ url })]
      const clock = { now: 1_000_000 }
      const ledgers = stores.map((store) => store.ledger({ now: () => clock.now }))
      const [first] = ledgers
      // The race is narrow: an expired click is taken over between two statements of another.
      for (let round = 0; round < 8; round++) {
        if (first !== undefined) await become(first, clock)
        const claims = await Promise.all(
          Array.from({ length: 40 }, (__, index) => ledgers[index % 2]?.claim(click(), true)),
        )
        expect(
          claims.filter((claim) => claim?.state === 'claimed'),
          `round ${round}`,
        ).toHaveLength(1)
        expect(claims.filter((claim) => claim?.state === 'running')).toHaveLength(39)
        await first?.settle(click(), 'refused')
      }
      await Promise.all(stores.map((store) => store.close()))
    },
  )

  it('keeps one success of a customer, however many are settled at once', async () => {
    const url = await database.create()
    const stores = [await openSqlStore({ url }), await openSqlStore({ url })]
    const clicks = Array.from({ length: 6 }, (_, index) => click({ id: `click-${index}`, fingerprint: `fp-${index}` }))
    const onEach = (run: (ledger: Ledger, one: Click) => Promise<unknown>) =>
      Promise.all(
        clicks.map((one, index) => {
          const ledger = stores[index % 2]?.ledger()
          return ledger && run(ledger, one)
        }),
      )
    for (let round = 0; round < 8; round++) {
      await onEach((ledger, one) => ledger.claim(one, true))
      await onEach((ledger, one) => ledger.settle(one, 'done'))
      const claims = await onEach((ledger, one) => ledger.claim(one, true))
      const states = claims.map((claim) => Object(claim).state)
      expect(
        states.filter((state) => state === 'done'),
        `round ${round}`,
      ).toHaveLength(1)
      await onEach((ledger, one) => ledger.settle(one, 'refused'))
    }
    await Promise.all(stores.map((store) => store.close()))
  })

  it('settles a click that another process claimed', async () => {
    const url = await database.create()
    const [one, other] = [await openSqlStore({ url }), await openSqlStore({ url })]
    await one.ledger().claim(click(), true)
    await other.ledger().settle(click(), 'done')
    expect(await one.ledger().claim(click(), true)).toMatchObject({ state: 'done' })
    await Promise.all([one.close(), other.close()])
  })

  it('forgets what has expired in small steps, and nothing else', async () => {
    const store = await database.open()
    let now = 1_000_000
    const ledger = store.ledger({ now: () => now })
    const count = async () => {
      const rows = await store.database.read((db) => db.selectFrom('ledger_clicks').select('id').execute())
      return rows.length
    }
    for (let index = 0; index < 1200; index++) {
      const one = click({ id: `click-${index}`, customer: `customer-${index}`, doneMs: 1000 })
      await ledger.claim(one, true)
      await ledger.settle(one, 'done')
    }
    expect(await count()).toBe(1200)
    now += 60_000
    const seen: number[] = []
    for (let index = 0; seen.at(-1) !== 1; index++) {
      const one = click({ id: 'last', customer: 'last' })
      await ledger.claim(one, true)
      await ledger.settle(one, 'done')
      seen.push(await count())
      if (index > 1000) throw new Error(`Expired clicks stay: ${seen.slice(-5).join(', ')}`)
    }
    // One step for each click, and perhaps one that was still under way.
    expect(seen[0]).toBeGreaterThanOrEqual(700)
    expect(seen.every((left, index) => (seen[index - 1] ?? 1201) - left <= 1000)).toBe(true)
    expect(await ledger.claim(click({ id: 'last', customer: 'last' }), true)).toMatchObject({ state: 'done' })
  })
})
