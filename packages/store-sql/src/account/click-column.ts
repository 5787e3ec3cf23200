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
import { sql } from 'kysely'
import { ChangedMeanwhile, type Database, type Db } from '../db/database.ts'
import type { Send } from '../db/connections.ts'
import { loadAccount, onlyCustomer } from './load-account.ts'

/*
 * The column `clicks` of a customer: a JSON object with the documents of the click protocol. The keys are scope and mode
 * of an integration, or `call` for calls without an integration. An unknown customer has no clicks.
 */

/** Documents by scope and mode. */
type Documents = Readonly<Record<string, unknown>>

/**
 * Reads the column for one document. `customer` is the key of the document. Throws StoreError `store_unavailable` for an
 * unreadable column, because its clicks must not run again.
 */
export function readColumn(clicks: string | null, customer: string) {
  const documents = parseDocuments(clicks)
  const { place } = splitKey(customer)
  // The click protocol rejects a value that is not a document.
  const document: ClickDocument | undefined = Object.hasOwn(documents, place) ? Object(documents[place]) : undefined
  return {
    document,
    /** Returns the column with a changed document. */
    withDocument: (changed: ClickDocument) => JSON.stringify({ ...documents, [place]: changed }),
  }
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
      const run = async (db: Db, send: Send) => {
        const loaded = await loadAccount(send, dialect, { email }, onlyCustomer, true)
        const { customer_id: id, version, clicks = null, now = Date.now() } = loaded ?? {}
        const column = readColumn(clicks, key)
        const { result, document } = decide(column.document, now)
        if (id === undefined || document === undefined) return { result, isWritten: false }
        const changed = column.withDocument(document)
        const { numAffectedRows } = await sql`
          update customers set clicks = ${changed}, version = version + 1
          where id = ${id} and version = ${version}`.execute(db)
        if (numAffectedRows === 0n) throw new ChangedMeanwhile()
        return { result, isWritten: true }
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

/**
 * Returns the click in the context, or creates a named click. The name of a created click is a digest of the endpoint,
 * the input and the idempotency key, because a database may reject some idempotency keys. Each call without an
 * idempotency key is a new click.
 */
export function clickOfCall(
  endpoint: EndpointName,
  input: { readonly email: string },
  { click, idempotencyKey }: Pick<Context, 'click' | 'idempotencyKey'>,
): Click {
  if (click !== undefined) return click
  const email = emailKey(input.email)
  const created = { customer: `call:${email}`, body: '', derivedKey: '' }
  if (idempotencyKey === '') return new PendingClick({ ...created, name: crypto.randomUUID(), windowMs: attemptMs })
  const fields = Object.entries({ ...input, email })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const call = JSON.stringify([endpoint, fields, idempotencyKey])
  const name = createHash('sha256').update(call).digest('base64url')
  return new PendingClick({ ...created, name, windowMs: keyMs })
}
