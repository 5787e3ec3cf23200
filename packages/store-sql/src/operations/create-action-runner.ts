import {
  type CompleteStorePort,
  type Context,
  isStoreError,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import { findCustomerId } from '../account/find-customer-id.ts'
import { clickOfCall } from '../clicks/click-of-call.ts'
import type { ClickTable } from '../clicks/click-table.ts'
import { keepClick } from '../clicks/keep-click.ts'
import { checkText } from './check-text.ts'
import type { Sweep } from '../clicks/create-sweep.ts'
import type { Send } from '../db/connections.ts'
import type { Database, Db } from '../db/database.ts'
import type { RunAction } from '../sql-store.ts'
import type { TrialSettings } from '../trial/trial-date.ts'

/** What custom actions need. */
export interface ActionSettings extends Pick<TrialSettings, 'today' | 'readDate'> {
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
  { actions, today, readDate }: ActionSettings,
  clicks: ClickTable,
  sweep: Sweep,
): CompleteStorePort['runCustomAction'] {
  /** Whose action it is and whether it was run before; throws StoreError `customer_not_found` or `action_not_found`. */
  async function findCustomer(db: Db, send: Send, { email, action_id }: RunCustomActionInput, key: string) {
    const customerId = await findCustomerId(db, email)
    if (!actions.has(action_id)) {
      const named = await db.selectFrom('actions').select('id').where('id', '=', action_id).executeTakeFirst()
      if (named === undefined) throw new StoreError('action_not_found')
    }
    return { customerId, isDone: await clicks.isDone(send, key) }
  }

  return async (input, context) => {
    checkText(input)
    // The integration keeps the click in a ledger, since the merchant's function does not run in a transaction.
    const key = clickOfCall({ name: 'runCustomAction', input, context: { idempotencyKey: context.idempotencyKey } })
    const { customerId, isDone } = await database.read((db, send) => findCustomer(db, send, input, key.id), context)
    if (isDone) return
    const record = (waiting: Pick<Context, 'signal'>) =>
      database.transaction(
        async (db, send) => {
          if ((await keepClick(send, clicks, key)) !== 'new') return
          const { action_id } = input
          if (readDate !== undefined) await readDate(send)
          await db.insertInto('actions_run').values({ customer_id: customerId, action_id, run_on: today() }).execute()
        },
        { waiting, repeatable: true },
      )
    const run = actions.get(input.action_id)
    if (run === undefined) await record(context)
    else {
      await run(input, context)
      // What was run is recorded, even when nobody waits any longer.
      await record({ signal: new AbortController().signal }).catch(reportUnknown)
    }
    sweep()
  }
}

/** The action has run: an answer that nothing happened would be wrong, and have the caller's retry run under a new key. */
function reportUnknown(error: unknown): never {
  if (isStoreError(error) && error.code === 'store_unavailable') {
    throw new StoreError('upstream_error', 'The action was run, but could not be noted.', { cause: error.cause })
  }
  throw error
}
