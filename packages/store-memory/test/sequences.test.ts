import type { CustomerAccount, Order } from '@storeport/rules'
import { createMemoryStore, type MemoryStore } from '@storeport/store-memory'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectSoundAccount } from '@storeport/testing/account-invariants'
import { deepFreeze } from '@storeport/testing/deep-freeze'
import { type Clock, customerOf, runSequence, type StepResult } from '@storeport/testing/run-sequence'
import { expectInvariants } from '@storeport/testing/sequence-invariants'
import { expectUndoInReverse } from '@storeport/testing/undo-in-reverse'
import { anyAdd, customers, everyOperation, sequenceData, steps } from '@storeport/testing/sequences'

const start = '2026-01-30'
const runs = { numRuns: 50 }
const timeout = 60_000

function openShop(): { readonly clock: Clock; readonly store: MemoryStore } {
  const clock = { today: start }
  return { clock, store: createMemoryStore({ data: sequenceData(start), today: () => clock.today }) }
}

type Accounts = Readonly<Record<string, CustomerAccount | undefined>>

/** Returns all accounts, frozen so that a rule that mutates an account throws an error. */
function accountsOf(store: MemoryStore): Accounts {
  return deepFreeze(Object.fromEntries(customers.map((email) => [email, store.account(email)])))
}

it('preserves account and order invariants after any sequence of operations', { timeout }, async () => {
  const seenOutcomes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const { clock, store } = openShop()
      let accounts = accountsOf(store)
      await runSequence(store, clock, sequence, (moment, before) => {
        const now = accountsOf(store)
        seenOutcomes.add(`${moment.step.call} ${moment.outcome}`)
        expectInvariants(moment, before)
        expectOnlyOwnChanges(moment, accounts, now)
        for (const account of Object.values(now)) if (account !== undefined) expectSoundAccount(account)
        expectWithinMaxUses(now)
        accounts = now
      })
      for (const email of customers.slice(0, -1)) expectOneOrderPerDate(store.orders(email))
    }),
    { ...runs, examples: [[everyOperation]] },
  )
  // Checks that each operation succeeded at least once.
  expect([...seenOutcomes].filter((outcome) => outcome.endsWith(' done'))).toHaveLength(everyOperation.length)
})

/** Expects that a successful step changes only its customer's account, and that a rejected step saves nothing. */
function expectOnlyOwnChanges({ step, outcome }: StepResult, accounts: Accounts, now: Accounts): void {
  for (const email of customers) {
    if (outcome !== 'done' || email !== customerOf(step)) expect(now[email]).toBe(accounts[email])
  }
}

/** Expects that all customers together have used the code TWICE at most twice. */
function expectWithinMaxUses(accounts: Accounts): void {
  const uses = Object.values(accounts).flatMap((account) => account?.discount_uses ?? [])
  expect(uses.filter(({ code }) => code === 'TWICE').length).toBeLessThanOrEqual(2)
}

/** Expects at most one order per subscription and date. */
function expectOneOrderPerDate(orders: readonly Order[]): void {
  const sent = orders.filter(({ kind }) => kind === 'subscription')
  const days = sent.map(({ subscription_id, placed_on }) => `${subscription_id} ${placed_on}`)
  expect(new Set(days).size).toBe(days.length)
}

it('undoes additions in reverse sequence after any other operations', { timeout }, async () => {
  let undone = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.array(anyAdd, { maxLength: 6 }), async (sequence, adds) => {
      const { clock, store } = openShop()
      await runSequence(store, clock, sequence)
      const count = await expectUndoInReverse(store, adds)
      undone += count
    }),
    runs,
  )
  expect(undone).toBeGreaterThan(runs.numRuns)
})
