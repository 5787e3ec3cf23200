import { createHash } from 'node:crypto'
import type { EndpointName } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import type { Db } from '../db/database.ts'

/** For how long a key is kept, in milliseconds: longer than the ledger remembers a click, so that no retry comes later. */
const keptMs = 48 * 60 * 60_000

/** The call that a key came with: only the same call again is a retry. */
export interface KeyedCall {
  /** The endpoint. */
  readonly name: EndpointName
  /** The input of the call. */
  readonly input: { readonly email: string }
  /** `context.idempotencyKey`; an empty one names nothing. */
  readonly idempotencyKey: string
}

/**
 * Keeps the key of a call in the transaction that makes its change; returns whether it is new. A key counts together
 * with endpoint and input: only the same call again is a retry.
 */
export async function keepKey(db: Db, call: KeyedCall, now: number): Promise<boolean> {
  if (call.idempotencyKey === '') return true
  const kept = await db
    .insertInto('applied_keys')
    .values({ id: digestOf(call), expires_at: now + keptMs })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  return kept.length > 0
}

/** Returns whether a call was made before under its key. */
export async function isKept(db: Db, call: KeyedCall): Promise<boolean> {
  if (call.idempotencyKey === '') return false
  const kept = await db.selectFrom('applied_keys').select('id').where('id', '=', digestOf(call)).execute()
  return kept.length > 0
}

/** Any key is as long as any other then, and a database takes it whatever it holds. */
function digestOf({ name, input, idempotencyKey }: KeyedCall): string {
  const fields = Object.entries({ ...input, email: emailKey(input.email) })
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([name, fields, idempotencyKey]))
    .digest('base64url')
}
