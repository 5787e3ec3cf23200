import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from './generated/client.ts'
import { throwUnavailable } from './unavailable.ts'

// A request waits at most 5 seconds for a connection or a lock, and then fails with 503.
const adapter = new PrismaPg({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  connectionTimeoutMillis: 5000,
  lock_timeout: 5000,
})

/** Your Prisma client. */
export const prisma = new PrismaClient({ adapter })

/** A Prisma interactive transaction, which is passed to custom actions. */
export type Transaction = Prisma.TransactionClient

export const dialect: 'postgres' | 'mysql' = 'postgres'

/** Runs a statement that contains `?` for each parameter. `changes` is the number of written rows. */
export type Run = (statement: string, values: unknown[]) => Promise<{ rows: unknown[]; changes: number }>

function runOn(client: Transaction): Run {
  return async (statement, values) => {
    let place = 0
    const numbered = statement.replaceAll('?', () => `$${(place += 1)}`)
    if (!/^(?:select|with)\b/.test(statement))
      return { rows: [], changes: await client.$executeRawUnsafe(numbered, ...values) }
    return { rows: await client.$queryRawUnsafe<unknown[]>(numbered, ...values), changes: 0 }
  }
}

/** Runs a statement in its own transaction. */
export const run: Run = (statement, values) => runOn(prisma)(statement, values).catch(throwUnavailable)

/** Runs the work in one transaction, which is rolled back if the work throws. */
export async function transact<Result>(work: (tx: Run, transaction: Transaction) => Promise<Result>): Promise<Result> {
  let isCommitting = false
  const perform = async (transaction: Transaction) => {
    const result = await work(runOn(transaction), transaction)
    isCommitting = true
    return result
  }
  return prisma.$transaction(perform, { maxWait: 5000, timeout: 10_000 }).catch((error: unknown) => {
    if (isCommitting) throw error
    return throwUnavailable(error)
  })
}

export const close = () => prisma.$disconnect()
