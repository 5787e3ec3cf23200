import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlRun } from '@storeport/core/sql'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { pool } from './pool.ts'
import { throwUnavailable } from './unavailable.ts'

/** A Prisma client: of the pool, or of one transaction. */
export type Db = Prisma.TransactionClient

export const db = new PrismaClient({ adapter: new PrismaPg(pool) })

const runOn =
  (client: Db) =>
  async (...[statement, values]: Parameters<SqlRun>) => {
    if (!/^(?:select|with)\b/.test(statement))
      return { rows: [], changes: await client.$executeRawUnsafe(statement, ...values) }
    return { rows: await client.$queryRawUnsafe<object[]>(statement, ...values), changes: 0 }
  }

/** Runs a statement of StorePort in its own transaction. */
export const run = async (...call: Parameters<SqlRun>) => runOn(db)(...call).catch(throwUnavailable)

/** Runs the work in one transaction, which is rolled back if the work throws. `run` is for the statements of StorePort. */
export async function transact<Result>(work: (tx: Db, run: SqlRun) => Promise<Result>): Promise<Result> {
  let isCommitting = false
  const perform = async (tx: Db) => {
    const result = await work(tx, runOn(tx))
    isCommitting = true
    return result
  }
  return db.$transaction(perform, { maxWait: 3000, timeout: 6000 }).catch((error: unknown) => {
    if (isCommitting) throw error
    return throwUnavailable(error)
  })
}

export const close = async () => {
  await db.$disconnect()
  await pool.end()
}
