import type { BillDueResult, Order } from '@storeport/rules'
import { createMemoryStore, type MemoryStore } from '@storeport/store-memory'
import type { SqlStore } from '@storeport/store-sql'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { type Clock, readViews, runSequence, type StepResult } from '@storeport/testing/run-sequence'
import { expectInvariants } from '@storeport/testing/sequence-invariants'
import { customers, everyOperation, sequenceData, type Step, steps } from '@storeport/testing/sequences'
import { describeDatabases, type TestDatabase } from '@storeport/testing/stores/describe-databases'

const start = '2026-01-30'
const timeout = 1_200_000
/** Number of sequences; higher in the nightly run. */
const sequences = process.env['STOREPORT_NIGHTLY'] === '1' ? 300 : 12
const known = customers.slice(0, -1)

/** Opens a store in a new database. Each sequence closes its store, to limit the number of open databases. */
async function openShop(database: TestDatabase) {
  const clock = { today: start }
  const store = await database.open({ data: sequenceData(start), today: () => clock.today })
  return { clock, store }
}

/** Runs a sequence with billing in the middle and at the end. After billing, every date is in the future. */
async function playAndBill(store: SqlStore | MemoryStore, clock: Clock, sequence: readonly Step[]) {
  const middle = Math.ceil(sequence.length / 2)
  const moments: StepResult[] = []
  const runs: BillDueResult[] = []
  for (const part of [sequence.slice(0, middle), sequence.slice(middle)]) {
    moments.push(...(await runSequence(store, clock, part, expectInvariants)))
    runs.push(await store.billDue())
    for (const { subscription } of Object.values(await readViews(store)))
      if (typeof subscription !== 'string') expect(subscription.next_billing_date > clock.today).toBe(true)
  }
  return { moments, runs }
}

function withoutId({ kind, status, placed_on, lines, items_minor, discount_minor, total_minor }: Order) {
  return { kind, status, placed_on, lines, items_minor, discount_minor, total_minor }
}

await describeDatabases('a sequence of operations', (database) => {
  it('has the same outcomes in an SQL store and in the memory store', { timeout }, async () => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { clock, store } = await openShop(database)
        const memoryClock = { today: start }
        const memory = createMemoryStore({ data: sequenceData(start), today: () => memoryClock.today })
        const played = await playAndBill(store, clock, sequence)
        for (const { step, outcome } of played.moments) outcomes.add(`${step.call} ${outcome}`)
        expect(played).toEqual(await playAndBill(memory, memoryClock, sequence))

        for (const email of known) {
          const account = await store.account(email)
          if (account === undefined) throw new Error('A customer is missing.')
          expectSoundAccount(account)
          expect((await store.orders(email)).map(withoutId)).toEqual(memory.orders(email).map(withoutId))
          expect(account.adds).toHaveLength(memory.account(email)?.adds.length ?? -1)
        }
        const runs = (await store.actionsRun()).map(({ number: _, ...run }) => run)
        expect(runs).toEqual(memory.actionsRun)
        await store.close()
      }),
      { numRuns: sequences, examples: [[everyOperation]] },
    )
    // Requires that each operation has succeeded at least once.
    expect([...outcomes].filter((outcome) => outcome.endsWith(' done'))).toHaveLength(everyOperation.length)
  })
})
