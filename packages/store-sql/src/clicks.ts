import {
  type Click,
  type ClickDocuments,
  type Context,
  type DocumentWrite,
  type EndpointName,
  PendingClick,
  type StoredClicks,
  StoreError,
} from '@storeport/core'
import type { DialectName, Send } from './db/connections.ts'
import { ChangedMeanwhile } from './db/database-errors.ts'
import { parseJson, parseList, type Write, type WriteForm } from './db/writes.ts'
import { createHash } from 'node:crypto'
import { emailKey } from '@storeport/rules'

/** Documents of a click that a transaction has read. */
export interface ReadDocuments extends ClickDocuments {
  /** Time of the read on the database's clock, in milliseconds since 1970. */
  readonly now: number
  /** Versions of the existing documents, by key. */
  readonly versions: ReadonlyMap<string, string>
}

/** Keys of a click's documents. */
type ClickKeys = Pick<Click, 'customer' | 'named'>

/** Returns the keys of a click's documents: one key, or two for a named click. */
export function keysOf({ customer, named }: ClickKeys): readonly string[] {
  return named === undefined ? [customer] : [customer, named]
}

/**
 * Returns an SQL expression for the documents with the given keys, as JSON. On PostgreSQL, the JSON also contains the
 * current time. `before` is the number of parameters before the keys.
 */
export function documentsExpression(dialect: DialectName, keys: readonly string[], before: number): string {
  const mark = dialect === 'sqlite' ? '?' : '$'
  const placeholders = keys.map((_, index) => `${mark}${before + index + 1}`).join(', ')
  return dialect === 'sqlite'
    ? `(select json_group_array(json_array(id, version, document, expires_at)) from clicks where id in (${placeholders}))`
    : `(select json_build_array(cast(extract(epoch from clock_timestamp()) * 1000 as bigint),
        (select json_agg(json_build_array(id, version, document, expires_at)) from clicks where id in (${placeholders}))))`
}

/** Parses the result of `documentsExpression`; throws StoreError `store_unavailable` if a document is not JSON. */
export function readDocuments(dialect: DialectName, value: unknown, { customer, named }: ClickKeys): ReadDocuments {
  // Uses this machine's clock for SQLite, because all processes that share a SQLite file run on one machine.
  const [now, list]: readonly unknown[] = dialect === 'sqlite' ? [Date.now(), parseJson(value)] : parseList(value)
  const versions = new Map<string, string>()
  const documents = new Map<string | undefined, StoredClicks>()
  for (const row of parseList(list)) {
    const [id, version, document, expiresAt] = parseList(row)
    versions.set(String(id), String(version))
    if (Number(expiresAt) > Number(now)) documents.set(String(id), parseDocument(String(document)))
  }
  return { customer: documents.get(customer), named: documents.get(named), now: Number(now), versions }
}

/** Loads the documents of a click in one statement. */
export async function loadDocuments(send: Send, dialect: DialectName, click: Click): Promise<ReadDocuments> {
  const keys = keysOf(click)
  const { rows } = await send<{ value: unknown }>(`select ${documentsExpression(dialect, keys, 0)} as value`, keys)
  return readDocuments(dialect, rows[0]?.value, click)
}

/**
 * Returns the writes for click documents. A write throws ChangedMeanwhile if the document has changed since the read.
 */
export function documentWrites({ now, versions }: ReadDocuments, writes: readonly DocumentWrite[]): readonly Write[] {
  return writes.map(({ key, document, ttlMs }) => ({
    form: documentForm,
    parameters: [key, crypto.randomUUID(), JSON.stringify(document), now + Math.ceil(ttlMs), versions.get(key) ?? ''],
    createError: () => new ChangedMeanwhile(),
  }))
}

const documentForm: WriteForm = {
  name: 'click_document',
  write: (parameter) =>
    `insert into clicks (id, version, document, expires_at)
      values (${[1, 2, 3, 4].map((number) => parameter(number)).join(', ')})
      on conflict (id) do update set version = excluded.version, document = excluded.document, expires_at = excluded.expires_at
      where clicks.version = ${parameter(5)}`,
}

function parseDocument(text: string): StoredClicks {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreError('store_unavailable', 'A stored click is unreadable.', { cause })
  }
}

/**
 * Time for which the idempotency key of a call without a click is stored, in milliseconds. Callers stop retrying
 * earlier.
 */
const keyMs = 48 * 60 * 60_000

interface StoreCall {
  readonly name: EndpointName
  readonly input: { readonly email: string }
  readonly context: Pick<Context, 'click' | 'idempotencyKey'>
}

/**
 * Returns the click in the context, or creates a click. The document key of a created click is a digest of the
 * endpoint, the input and the idempotency key. Each call without an idempotency key is a new click.
 */
export function clickOfCall(call: StoreCall): Click {
  const { click: known, idempotencyKey } = call.context
  if (known !== undefined) return known
  const hasKey = idempotencyKey !== ''
  const customer = `call:${hasKey ? digestOf(call) : crypto.randomUUID()}`
  const click = { customer, fingerprint: '', windowMs: hasKey ? keyMs : 0 }
  const request = {
    click,
    attempt: crypto.randomUUID(),
    leaseMs: 0,
    retainMs: 60_000,
    waitedMs: 0,
    canReconcile: false,
    repeatableMs: 0,
    isYoung: false,
  }
  return new PendingClick({ click, request, commitBy: Infinity, waitedMs: () => 0 })
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
