import { isDate } from '@storeport/rules'
import { sql } from 'kysely'
import { type SampleProduct, customerSample, samplePrefix } from './customer-sample.ts'
import type { Database, Db } from '../db/database.ts'
import { insertRows } from './insert-rows.ts'

/** How many customers are made up, and what is called meanwhile. */
export interface SeedCustomersOptions {
  /** How many made-up customers the database is to hold in the end; those that it has are kept. */
  readonly count: number
  /** The date around which billing dates and cancellations lie, `YYYY-MM-DD`. */
  readonly today: string
  /** Called after every step with the number of customers that there are. */
  readonly onProgress?: ((done: number, count: number) => void) | undefined
  /** Stops after the step under way. */
  readonly signal?: AbortSignal | undefined
}

/** Customers in one transaction. */
const step = 2000

/**
 * Fills a store with made-up customers, for trying it out at the size of a real shop: subscriptions, items, cancelled
 * ones and recommendations, the same at every run. It goes on where an earlier run was ended.
 *
 * The shop must have products. Throws an Error when it has none.
 */
export async function seedCustomers(
  { database }: { readonly database: Database },
  { count, today, onProgress, signal }: SeedCustomersOptions,
): Promise<void> {
  if (!Number.isSafeInteger(count) || count < 0 || count > 9_999_999) {
    throw new RangeError('count: must be a whole number from 0 to 9,999,999')
  }
  if (!isDate(today)) throw new RangeError('today: must be a date YYYY-MM-DD that exists')
  const products = await database.read(loadProducts)
  if (products.length === 0) throw new Error('The shop has no products: seed it first.')

  for (let done = await database.read(countSamples); done < count; done = Math.min(done + step, count)) {
    onProgress?.(done, count)
    signal?.throwIfAborted()
    const last = Math.min(done + step, count)
    await database.transaction((db) => insertSamples(db, database, { first: done + 1, last, today, products }), {
      durable: last === count,
    })
  }
  if (database.dialect === 'postgres') await database.transaction(analyzeTables)
  onProgress?.(count, count)
}

/** Without it, PostgreSQL's planner would know the new sizes only some time after the first calls. */
async function analyzeTables(db: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`analyze`.execute(db)
}

async function loadProducts(db: Db): Promise<readonly SampleProduct[]> {
  return db
    .selectFrom('products')
    .select(['id', 'price_minor'])
    .where(sql<boolean>`available`)
    .orderBy('id')
    .execute()
}

/** Samples are numbered without gaps, so the last number is how many there are. */
async function countSamples(db: Db): Promise<number> {
  const last = await db
    .selectFrom('customers')
    .select('id')
    .where('id', '>=', samplePrefix)
    .where('id', '<', `${samplePrefix}~`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined ? 0 : Number(last.id.slice(samplePrefix.length))
}

interface Samples {
  readonly first: number
  readonly last: number
  readonly today: string
  readonly products: readonly SampleProduct[]
}

async function insertSamples(db: Db, { dialect }: Database, { first, last, today, products }: Samples): Promise<void> {
  const samples = Array.from({ length: last - first + 1 }, (_, index) => customerSample(first + index, today, products))
  const subscriptions = samples.flatMap((sample) => sample.subscriptions)
  await insertRows(db, dialect, {
    customers: samples.map(({ customer }) => customer),
    recommendations: samples.flatMap(({ recommendations }) => recommendations),
    subscriptions: subscriptions.map(({ row }) => row),
    items: subscriptions.flatMap(({ items }) => items),
  })
}
