import { billDue, nextBillingAfter, readShopData, readShopOptions, soonest, toMinor } from '@storeport/rules'
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

let seenDue = 0

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
        expectEffects(moment, before, accounts, now)
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
  // The number of due orders is random.
  expect(seenDue).toBeGreaterThan(0)
})

/** Expects that a successful step changes only its customer's account, and that a rejected step saves nothing. */
function expectEffects(moment: StepResult, before: StepResult, accounts: Accounts, now: Accounts): void {
  const { step, outcome, today } = moment
  for (const email of customers) {
    if (outcome !== 'done' || email !== customerOf(step)) expect(now[email]).toBe(accounts[email])
  }
  const email = customerOf(step)
  const saved = email === undefined ? undefined : accounts[email]
  const current = email === undefined ? undefined : now[email]
  if (outcome !== 'done' || step.call === 'runCustomAction' || saved === undefined || current === undefined) return
  const billed = billLike(current, saved, today)
  expectBilled(saved, billed, today)
  if (step.call !== 'sendNow') expectOnlyNew(current, billed, step.call === 'addProduct' ? 'one_off' : undefined)
  if (step.call === 'undoAddProduct') expectUndone(billed, current, step.input.product_id)
  if (step.call === 'sendNow') expectSent(billed, current, today, moment, before)
}

/** Bills the due subscriptions of a saved account, and uses the order ids that the store generated. */
function billLike(current: CustomerAccount, saved: CustomerAccount, today: string): CustomerAccount {
  let made = saved.orders.length
  const { createShop } = readShopOptions({ today })
  const shop = createShop({ product: (id) => products.find((product) => product.id === id) })
  return deepFreeze(billDue(saved, { ...shop, newId: () => current.orders[made++]?.id ?? 'missing order' }))
}

const { products } = readShopData(sequenceData(start), 'USD')

/** Expects one new order for each due subscription with items, and no other new orders. */
function expectBilled(saved: CustomerAccount, billed: CustomerAccount, today: string): void {
  for (const subscription of saved.subscriptions) {
    const { items } = subscription
    const isDue = subscription.status === 'active' && nextBillingAfter('', subscription).next_billing_date <= today
    if (isDue) seenDue += 1
    const made = billed.orders
      .slice(saved.orders.length)
      .filter(({ subscription_id }) => subscription_id === subscription.id)
    expect(made).toHaveLength(isDue && items.length > 0 ? 1 : 0)
  }
}

/**
 * Expects that existing orders are unchanged, and that all new orders have the given kind. Without a kind, expects no
 * new orders.
 */
function expectOnlyNew(current: CustomerAccount, billed: CustomerAccount, kind: Order['kind'] | undefined): void {
  const further = current.orders.slice(billed.orders.length).map((order) => order.kind)
  expect(further.filter((made) => made !== kind)).toEqual([])
  for (const [at, { id, total_minor, lines }] of billed.orders.entries()) {
    expect(current.orders[at]).toMatchObject({ id, total_minor, lines })
  }
}

/** Expects that only the last addition of the product was undone. */
function expectUndone(billed: CustomerAccount, current: CustomerAccount, product_id: string): void {
  const add = billed.adds.findLast((made) => made.product_id === product_id)
  expect(current.adds).toEqual(billed.adds.filter((made) => made !== add))
  expect(current.discount_uses).toEqual(billed.discount_uses.filter(({ id }) => id !== add?.discount_use_id))
  expect(current.orders).toEqual(
    billed.orders.map((order) => (order.id === add?.order_id ? { ...order, status: 'cancelled' } : order)),
  )
  expect(current.subscriptions).toEqual(
    billed.subscriptions.map((subscription) => ({
      ...subscription,
      items: subscription.items
        .map((item) => (item.id === add?.item_id ? { ...item, quantity: item.quantity - add.quantity } : item))
        .filter(({ quantity }) => quantity > 0),
    })),
  )
}

/**
 * Expects that the order matches the earlier response of getSubscription. The subscription must no longer have one-time
 * items and codes.
 */
function expectSent(
  billed: CustomerAccount,
  current: CustomerAccount,
  today: string,
  moment: StepResult,
  before: StepResult,
): void {
  const sent = soonest(billed.subscriptions)
  const after = current.subscriptions.find(({ id }) => id === sent?.id)
  const order = current.orders.at(-1)
  const shown = before.seen[customerOf(moment.step) ?? '']?.subscription
  if (sent === undefined || order === undefined || typeof shown !== 'object') throw new Error('Expected a sent order.')
  expect(current.orders).toHaveLength(billed.orders.length + 1)
  expect(order).toMatchObject({
    subscription_id: sent.id,
    status: 'processing',
    placed_on: today,
    discount_minor: toMinor(shown.order_discount_total ?? 0, 2),
    shipping_minor: toMinor(shown.shipping_total_cost ?? 0, 2),
    lines: shown.items.map(({ title, price, quantity }) => ({ title, price_minor: toMinor(price, 2), quantity })),
  })
  const taxed = (order.items_minor - order.discount_minor) * sent.tax_rate
  expect(Math.abs(order.tax_minor - taxed)).toBeLessThanOrEqual(0.500_001)
  expect(after?.items).toEqual(sent.items.filter(({ one_time }) => !one_time))
  const next = nextBillingAfter(today, { ...sent, next_billing_date: today, anchor_day: null })
  expect(after).toMatchObject(next)
  expect(current.adds).toEqual(billed.adds.filter(({ subscription_id }) => subscription_id !== sent.id))
  expect(current.discount_uses.filter(({ subscription_id }) => subscription_id === sent.id)).toEqual([])
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

it('returns the same responses for the same sequence, except for generated ids', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const [one, other] = [openShop(), openShop()]
      const moments = await runSequence(one.store, one.clock, sequence)
      expect(await runSequence(other.store, other.clock, sequence)).toEqual(moments)
    }),
    { numRuns: 25 },
  )
})
