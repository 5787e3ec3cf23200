import {
  type CompleteStorePort,
  type Context,
  isStoreError,
  type PendingClick,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import { findCustomerId } from './account/load-account.ts'
import { clickOfCall, documentWrites, loadDocuments, type ReadDocuments } from './clicks.ts'
import type { Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { makeChanges } from './db/writes.ts'
import type { RunAction } from './sql-store.ts'
import type { TrialSettings } from './trial.ts'

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
): CompleteStorePort['runCustomAction'] {
  const { dialect } = database

  /** Whose action it is and whether it was run before; throws StoreError `customer_not_found` or `action_not_found`. */
  async function findCustomer(db: Db, send: Send, { email, action_id }: RunCustomActionInput, click: PendingClick) {
    const customerId = await findCustomerId(db, email)
    if (!actions.has(action_id)) {
      const noted = await db.selectFrom('settings').select('value').where('name', '=', 'actions').executeTakeFirst()
      const ids: readonly string[] = JSON.parse(noted?.value ?? '[]')
      if (!ids.includes(action_id)) throw new StoreError('action_not_found')
    }
    const documents = await loadDocuments(send, dialect, click)
    return { customerId, found: documents, isDone: click.keep(documents, documents.now).state !== 'run' }
  }

  return async (input, context) => {
    // The integration keeps the click in a ledger, since the merchant's function does not run in a transaction.
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
          // A transaction that runs again may have been committed.
          const read = documents ?? (await loadDocuments(send, dialect, click))
          documents = undefined
          const kept = click.keep(read, read.now)
          if (kept.state !== 'run') return
          const { action_id } = input
          if (readDate !== undefined) await readDate(send)
          await db.insertInto('actions_run').values({ customer_id: customerId, action_id, run_on: today() }).execute()
          await makeChanges(send, dialect, documentWrites(read, kept.writes))
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
  }
}

/** The action has run: an answer that nothing happened would be wrong, and have the caller's retry run under a new key. */
function reportUnknown(error: unknown): never {
  if (isStoreError(error) && error.code === 'store_unavailable') {
    throw new StoreError('upstream_error', 'The action was run, but could not be noted.', { cause: error.cause })
  }
  throw error
}
