import type { Context, KeptAnswer, PendingClick } from '@storeport/core'
import type { SqlStore } from '@storeport/store-sql'
import { click } from '@storeport/testing/behaves-like-ledger'
import { contextOf } from '@storeport/testing/clicks'
import { sql } from 'kysely'

/** A click as the integration gives it to a method that keeps its clicks: a try of its own, that arrives now. */
export function pending(changes: Partial<PendingClick> = {}): PendingClick {
  const made = click({ idempotencyKey: crypto.randomUUID(), arrivedAt: performance.now(), ...changes })
  return { ...made, commitBy: Infinity, remembersMs: () => made.doneMs, ...changes }
}

/** Calls a method that keeps its clicks, and says how it succeeded. */
export async function ask<Input>(
  method: (input: Input, context: Context) => Promise<void>,
  input: Input,
  one: PendingClick,
): Promise<KeptAnswer> {
  const keeping: unknown = Reflect.get(method, Symbol.for('storeport.keepsClicks'))
  if (typeof keeping !== 'function') throw new Error('The method keeps no clicks.')
  return Reflect.apply(keeping, undefined, [input, { ...contextOf(one.idempotencyKey), click: one }])
}

/** Lets some time pass for every click that is kept. */
export async function age({ database }: SqlStore, milliseconds: number): Promise<void> {
  await database.transaction((db) =>
    sql`update clicks set ordinal = ordinal - ${milliseconds}, first_try_at = first_try_at - ${milliseconds},
      since = since - ${milliseconds}, until = until - ${milliseconds}, expires_at = expires_at - ${milliseconds}`.execute(
      db,
    ),
  )
}
