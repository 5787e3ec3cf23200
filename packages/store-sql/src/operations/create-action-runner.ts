import {
  type CompleteStorePort,
  type Context,
  isStoreError,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import { findCustomerId } from '../account/find-customer-id.ts'
import { isKept, keepKey, type KeyedCall } from '../clicks/applied-keys.ts'
import { checkText } from './check-text.ts'
import type { Sweep } from '../clicks/create-sweep.ts'
import type { Database, Db } from '../db/database.ts'
import type { RunAction } from '../sql-store.ts'

/** What custom actions need. */
export interface ActionSettings {
  /** Returns the store's date. */
  readonly today: () => string
  /** What the custom actions do, by id. */
  readonly actions: ReadonlyMap<string, RunAction>
}

/**
 * Runs custom actions: only those on the list, whatever the caller sends.
 *
 * The merchant's function runs outside of any transaction, so that a slow one locks nobody out. When it has run and the
 * database is lost before that is recorded, a retry runs it again under the same `context.idempotencyKey`.
 */
export function createActionRunner(
  database: Database,
  { actions, today }: ActionSettings,
  sweep: Sweep,
): CompleteStorePort['runCustomAction'] {
  return async (input, context) => {
    checkText(input)
    const call = { name: 'runCustomAction', input, idempotencyKey: context.idempotencyKey } as const
    const run = actions.get(input.action_id)
    const { customerId, done } = await database.read((db) => findCustomer(db, call, run === undefined), context)
    if (done) return
    const record = (waiting: Pick<Context, 'signal'>) =>
      database.transaction((db) => recordRun(db, customerId, call, today()), {
        waiting,
        repeatable: context.idempotencyKey !== '',
      })
    if (run === undefined) await record(context)
    else {
      await run(input, context)
      // What was run is recorded, even when nobody waits any longer.
      await record({ signal: new AbortController().signal }).catch(reportUnknown)
    }
    sweep()
  }
}

type Call = KeyedCall & { readonly input: RunCustomActionInput }

/** Whose action it is and whether it was run before; throws StoreError `customer_not_found` or `action_not_found`. */
async function findCustomer(db: Db, call: Call, mustBeNamed: boolean) {
  const { email, action_id } = call.input
  const customerId = await findCustomerId(db, email)
  if (mustBeNamed) {
    const named = await db.selectFrom('actions').select('id').where('id', '=', action_id).executeTakeFirst()
    if (named === undefined) throw new StoreError('action_not_found')
  }
  return { customerId, done: await isKept(db, call) }
}

async function recordRun(db: Db, customer_id: string, call: Call, run_on: string): Promise<void> {
  if (!(await keepKey(db, call, Date.now()))) return
  await db.insertInto('actions_run').values({ customer_id, action_id: call.input.action_id, run_on }).execute()
}

/** The action has run: an answer that nothing happened would be wrong, and have the caller's retry run under a new key. */
function reportUnknown(error: unknown): never {
  if (isStoreError(error) && error.code === 'store_unavailable') {
    throw new StoreError('upstream_error', 'The action was run, but could not be noted.', { cause: error.cause })
  }
  throw error
}
