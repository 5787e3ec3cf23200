import {
  type CompleteStorePort,
  type Context,
  isStoreError,
  type Click,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import type { ShopSettings } from '@storeport/rules'
import { findCustomerId } from './account/load-account.ts'
import { clickOfCall, documentWrites, loadDocuments, type ReadDocuments } from './clicks.ts'
import type { Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { applyWrites } from './db/writes.ts'
import type { RunAction } from './sql-store.ts'

/** Settings for custom actions. */
export interface ActionSettings extends Pick<ShopSettings, 'today'> {
  /** Functions that run the custom actions, by action id. */
  readonly actions: ReadonlyMap<string, RunAction>
}

/**
 * Creates `runCustomAction`, which rejects actions that are neither in the options nor in the shop data.
 *
 * The merchant's function runs outside any transaction, so that a slow function does not hold locks. If recording the
 * run fails, a retry runs the function again with the same `context.idempotencyKey`.
 */
export function createActionRunner(
  database: Database,
  { actions, today }: ActionSettings,
): CompleteStorePort['runCustomAction'] {
  const { dialect } = database

  /** Loads the customer and the stored click. Throws StoreError `customer_not_found` or `action_not_found`. */
  async function findCustomer(db: Db, send: Send, { email, action_id }: RunCustomActionInput, click: Click) {
    const customerId = await findCustomerId(db, email)
    if (!actions.has(action_id)) {
      const noted = await db.selectFrom('settings').select('value').where('name', '=', 'actions').executeTakeFirst()
      const ids: readonly string[] = JSON.parse(noted?.value ?? '[]')
      if (!ids.includes(action_id)) throw new StoreError('action_not_found')
    }
    const documents = await loadDocuments(send, dialect, click)
    return { customerId, found: documents, isDone: click.plan(documents, documents.now).state !== 'run' }
  }

  return async (input, context) => {
    // Ignores `context.click`, because the integration stores that click in a ledger.
    const click = clickOfCall({ name: 'runCustomAction', input, context: { idempotencyKey: context.idempotencyKey } })
    const { customerId, found, isDone } = await database.read(
      (db, send) => findCustomer(db, send, input, click),
      context,
    )
    if (isDone) return
    let documents: ReadDocuments | undefined = found
    const record = (waiting: Pick<Context, 'signal'>) =>
      database.transaction(
        async (db, send) => {
          // Loads the documents again for a retry, because the first attempt may have been committed.
          const read = documents ?? (await loadDocuments(send, dialect, click))
          documents = undefined
          const decision = click.plan(read, read.now)
          if (decision.state !== 'run') return
          const { action_id } = input
          await db.insertInto('actions_run').values({ customer_id: customerId, action_id, run_on: today() }).execute()
          await applyWrites(send, dialect, documentWrites(read, decision.writes))
        },
        { waiting, repeatable: true },
      )
    const run = actions.get(input.action_id)
    if (run === undefined) await record(context)
    else {
      await run(input, context)
      // Passes a new signal, so that the store records the run even if the caller has disconnected.
      await record({ signal: new AbortController().signal }).catch(reportUnknown)
    }
  }
}

/**
 * Converts `store_unavailable` to `upstream_error`, because `store_unavailable` would mean that the action did not run.
 */
function reportUnknown(error: unknown): never {
  if (isStoreError(error) && error.code === 'store_unavailable') {
    throw new StoreError('upstream_error', 'The action ran, but the store could not record the run.', {
      cause: error.cause,
    })
  }
  throw error
}
