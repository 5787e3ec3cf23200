import { addDays, type CatalogueProduct, type Interval, isDate, type Subscription } from '@storeport/rules'
import { sql } from 'kysely'
import type { Database, Db } from '../db/database.ts'
import { insertCustomers } from './seed-shop.ts'

/** Options for `seedCustomers`. */
export interface SeedCustomersOptions {
  /** Number of sample customers after the run, including existing sample customers; 0 to 9,999,999. */
  readonly count: number
  /** Reference date for billing dates and cancellations, `YYYY-MM-DD`. */
  readonly today: string
  /** Called before the first step and after each step, with the current number of sample customers. */
  readonly onProgress?: ((done: number, count: number) => void) | undefined
  /** Aborts the run after the current step. */
  readonly signal?: AbortSignal | undefined
}

/** Number of customers in one transaction. */
const step = 2000

/**
 * Adds sample customers, to test a store at the size of a real shop. The customers have active and cancelled
 * subscriptions, items and recommended products. Every run creates the same customers. A second run continues an
 * interrupted run. Throws an Error if the shop has no products, and a RangeError for an invalid option.
 */
export async function seedCustomers(
  { database }: { readonly database: Database },
  { count, today, onProgress, signal }: SeedCustomersOptions,
): Promise<void> {
  if (!Number.isSafeInteger(count) || count < 0 || count > 9_999_999) {
    throw new RangeError('count: must be an integer from 0 to 9,999,999')
  }
  if (!isDate(today)) throw new RangeError('today: must be a date that exists, in the form YYYY-MM-DD')
  const products = await database.read(loadProducts)
  if (products.length === 0) throw new Error('The shop has no products. Seed it first.')

  for (let done = await database.read(countSamples); done < count; done = Math.min(done + step, count)) {
    onProgress?.(done, count)
    signal?.throwIfAborted()
    const length = Math.min(step, count - done)
    const samples = Array.from({ length }, (_, index) => customerSample(done + 1 + index, today, products))
    const customers = samples.map(({ customer, subscriptions }) => ({ ...customer, subscriptions }))
    await database.transaction((db) => insertCustomers(db, database.dialect, customers), {
      durable: done + length === count,
    })
  }
  if (database.dialect === 'postgres') await database.transaction(analyzeTables)
  onProgress?.(count, count)
}

/** Updates the planner statistics of PostgreSQL. Otherwise, outdated statistics would slow down the first requests. */
async function analyzeTables(db: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`analyze`.execute(db)
}

async function loadProducts(db: Db): Promise<readonly SampleProduct[]> {
  return (await sql<SampleProduct>`select id, price_minor from products where available order by id`.execute(db)).rows
}

/** Returns the number of sample customers. Their numbers have no gaps, so the highest number is the count. */
async function countSamples(db: Db): Promise<number> {
  const { rows } = await sql<{ last: string | null }>`select max(id) as last from customers
    where id >= ${samplePrefix} and id < ${`${samplePrefix}~`}`.execute(db)
  return Number(rows[0]?.last?.slice(samplePrefix.length) ?? 0)
}

/** A product for sample subscriptions. */
export type SampleProduct = Pick<CatalogueProduct, 'id' | 'price_minor'>

/** Returns the sample customer with the given number. The result depends only on the arguments. */
export function customerSample(number: number, today: string, products: readonly SampleProduct[]) {
  const dice = createDice(number)
  const suffix = String(number).padStart(7, '0')
  const kind = dice.pick(kinds)
  const subscriptions = [...kind].map((state, index): Subscription => {
    const interval = dice.pick(intervals)
    const items = dice.some(products, dice.between(1, 4)).map(({ id: product_id, price_minor }, place) => ({
      id: `item_${suffix}_${index + 1}_${place + 1}`,
      product_id,
      quantity: dice.between(1, 3),
      price_minor,
      one_time: false,
    }))
    const date = addDays(today, state === 'a' ? dice.between(1, 60) : -dice.between(1, 700))
    return {
      id: `sub_${suffix}_${index + 1}`,
      title: interval.count === 1 ? `Every ${interval.unit}` : `Every ${interval.count} ${interval.unit}s`,
      ...{ interval, anchor_day: null, skipped: [], items },
      shipping_minor: dice.pick([0, 399, 599]),
      order_discount_minor: dice.pick([0, 0, 0, 500]),
      tax_rate: dice.pick([0, 0.07, 0.08, 0.19]),
      ...(state === 'a'
        ? { status: 'active', next_billing_date: date, cancelled_on: null }
        : { status: 'cancelled', next_billing_date: null, cancelled_on: date }),
    }
  })
  const recommended = dice.some(products, dice.between(0, 5)).map(({ id }) => id)
  const customer = {
    ...{ id: `${samplePrefix}${suffix}`, email: `customer${suffix}@example.com` },
    ...{ last_sent_on: null, last_sent_at: null, recommended },
  }
  return { customer, subscriptions }
}

const samplePrefix = 'sample_'

/** Subscriptions of a sample customer: `a` is active, `c` is cancelled. All entries have the same probability. */
const kinds = ['', 'a', 'a', 'a', 'a', 'a', 'aa', 'ac', 'c', 'cc']

const intervals: readonly Interval[] = [
  { unit: 'month', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 2 },
  { unit: 'week', count: 2 },
  { unit: 'week', count: 6 },
]

/** Creates a deterministic random number generator (mulberry32). */
function createDice(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[between(0, values.length - 1)]
    if (value === undefined) throw new Error('Cannot pick from an empty list.')
    return value
  }
  /** Returns `count` distinct values in random order. */
  const some = <Value>(values: readonly Value[], count: number): readonly Value[] => {
    const ranked = values.map((value) => ({ value, rank: next() })).toSorted((one, other) => one.rank - other.rank)
    return ranked.slice(0, count).map(({ value }) => value)
  }
  return { between, pick, some }
}
