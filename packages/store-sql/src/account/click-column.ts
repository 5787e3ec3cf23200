import { createHash } from 'node:crypto'
import {
  type Click,
  type ClickDocument,
  type Context,
  type EndpointName,
  type Ledger,
  PendingClick,
  StoreError,
} from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { DialectName, Send } from '../db/connections.ts'
import { ChangedMeanwhile, type Database } from '../db/database.ts'
import { inDialect, type Write } from '../db/writes.ts'

/*
 * The column `clicks` of a customer: a JSON object with the documents of the click protocol. The keys are scope and mode
 * of an integration, or `call` for calls without an integration. An unknown customer has no clicks.
 */

/** Documents by scope and mode. */
type Documents = Readonly<Record<string, unknown>>

/**
 * Returns a document in the column. `customer` is the key of the document. Throws StoreError `store_unavailable` for an
 * unreadable column, because its clicks must not run again.
 */
export function readDocument(clicks: string | null, customer: string): ClickDocument | undefined {
  const documents = parseDocuments(clicks)
  const { place } = splitKey(customer)
  // The click protocol rejects a value that is not a document.
  return Object.hasOwn(documents, place) ? Object(documents[place]) : undefined
}

/** Returns the column with a changed document. */
export function withDocument(clicks: string | null, customer: string, document: ClickDocument): string {
  return JSON.stringify({ ...parseDocuments(clicks), [splitKey(customer).place]: document })
}

function parseDocuments(clicks: string | null): Documents {
  if (clicks === null) return {}
  try {
    const documents: Documents | null = JSON.parse(clicks)
    if (typeof documents === 'object' && documents !== null && !Array.isArray(documents)) return documents
  } catch {
    // Throws the same error for text that is not JSON.
  }
  throw new StoreError('store_unavailable', 'The stored clicks cannot be read.', { retryAfter: 30 })
}

/** Splits the key of a document, such as `/integration:live:one@example.com`, at the last colon. */
function splitKey(customer: string): { readonly place: string; readonly email: string } {
  const end = customer.lastIndexOf(':')
  return { place: customer.slice(0, end), email: customer.slice(end + 1) }
}

/** SQL expression for the database's time in milliseconds since 1970, after the lock of the customer. */
export const clock: Readonly<Record<DialectName, string>> = {
  // All processes that share a SQLite file run on one machine.
  sqlite: 'null',
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
}

/** A customer's clicks. `now` is the time of the read, in milliseconds since 1970. */
export interface CustomerClicks {
  readonly customer_id: string | null
  readonly version: number | null
  readonly clicks: string | null
  readonly now: number
}

/** Loads a customer's clicks. For an unknown customer, the other fields are null. */
export async function loadClicks(send: Send, dialect: DialectName, email: string): Promise<CustomerClicks> {
  const statement = `select customers.id as customer_id, customers.version, customers.clicks, ${clock[dialect]} as now
    from (select 1 as one) as base left join customers on customers.email_key = $1`
  const { rows } = await send<Omit<CustomerClicks, 'now'> & { now: number | null }>(
    inDialect(dialect, statement),
    [emailKey(email)],
    true,
  )
  const { customer_id = null, version = null, clicks = null, now = null } = rows[0] ?? {}
  return { customer_id, version, clicks, now: now ?? Date.now() }
}

/** Returns the write of a customer's clicks, for a locked customer. */
export function clicksWrite(customerId: string, clicks: string): Write {
  return { statement: 'update customers set clicks = $1 where id = $2', parameters: [clicks, customerId] }
}

const compareAndSet = 'update customers set clicks = $1, version = version + 1 where id = $2 and version = $3'

/**
 * Creates a ledger in the column. Finds a customer by `known`, or by the email in the key. Replaces the column only if the
 * version of the customer is unchanged, because every change raises it on PostgreSQL. Writes nothing for an unknown
 * customer.
 */
export function createColumnLedger({ dialect, read, transaction }: Database, known?: string): Ledger {
  return {
    isLocal: true,
    update: async (key, decide) => {
      const email = known ?? splitKey(key).email
      if (!email.includes('@'))
        throw new Error('The ledger of the SQL store finds a customer by email. Set another ledger with reconcile.')
      const run = async (_db: unknown, send: Send) => {
        const { customer_id, version, clicks, now } = await loadClicks(send, dialect, email)
        const { result, document } = decide(readDocument(clicks, key), now)
        const isWritten = customer_id !== null && document !== undefined
        if (isWritten) {
          const values = [withDocument(clicks, key, document), customer_id, version]
          const { changes } = await send(inDialect(dialect, compareAndSet), values)
          if (changes === 0) throw new ChangedMeanwhile()
        }
        return { result, isWritten }
      }
      // PostgreSQL commits each statement. SQLite writes only in a transaction.
      const updated =
        dialect === 'postgres'
          ? read(run)
          : transaction(run, { repeatable: true, mayCommit: ({ isWritten }) => isWritten })
      return (await updated).result
    },
  }
}

/**
 * Time for which the idempotency key of a call without a click is stored, in milliseconds. Callers stop retrying
 * earlier. A document has at most 100 clicks, so later calls can drop the key.
 */
const keyMs = 48 * 60 * 60_000
/** Time for which a call without a key is stored. A transaction that runs again after its commit finds the call. */
const attemptMs = 60_000

interface StoreCall {
  readonly name: EndpointName
  readonly input: { readonly email: string }
  readonly context: Pick<Context, 'click' | 'idempotencyKey'>
}

/**
 * Returns the click in the context, or creates a named click. The name of a created click is a digest of the endpoint,
 * the input and the idempotency key. Each call without an idempotency key is a new click.
 */
export function clickOfCall(call: StoreCall): Click {
  const { click: known, idempotencyKey } = call.context
  if (known !== undefined) return known
  const hasKey = idempotencyKey !== ''
  const name = hasKey ? digestOf(call) : crypto.randomUUID()
  const customer = `call:${emailKey(call.input.email)}`
  return new PendingClick({ customer, name, body: '', derivedKey: '', windowMs: hasKey ? keyMs : attemptMs })
}

/**
 * Returns a digest of a call. A digest is always a valid string, whereas a database may reject some idempotency keys.
 */
function digestOf({ name, input, context }: StoreCall): string {
  const fields = Object.entries({ ...input, email: emailKey(input.email) })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, fields, context.idempotencyKey]))
    .digest('base64url')
}
