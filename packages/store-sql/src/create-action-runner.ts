import {
  type CompleteStorePort,
  type Context,
  isStoreError,
  type Click,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import type { ShopSettings } from '@storeport/rules'
import { clickOfCall, clicksWrite, loadClicks, readDocument, withDocument } from './account/click-column.ts'
import type { Send } from './db/connections.ts'
import type { Database, Db } from './db/database.ts'
import { readSetting } from './db/settings.ts'
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

  /**
   * Returns whether an earlier call without an integration has recorded the run. Throws StoreError `customer_not_found`
   * or `action_not_found`.
   */
  async function isRecorded(db: Db, send: Send, input: RunCustomActionInput, { click }: Context, own: Click) {
    const readAt = performance.now()
    const { customer_id, clicks, now } = await loadClicks(send, dialect, input.email)
    if (customer_id === null) throw new StoreError('customer_not_found')
    if (!actions.has(input.action_id)) {
      const ids: readonly string[] = JSON.parse((await readSetting(db, 'actions')) ?? '[]')
      if (!ids.includes(input.action_id)) throw new StoreError('action_not_found')
    }
    return click === undefined && own.claim(readDocument(clicks, own.customer), now, readAt).result !== 'run'
  }

  return async (input, context) => {
    const click = clickOfCall({ name: 'runCustomAction', input, context })
    if (await database.read((db, send) => isRecorded(db, send, input, context, click), context)) return
    const record = (waiting: Pick<Context, 'signal'>) =>
      database.transaction(
        async (_db, send) => {
          const readAt = performance.now()
          const { customer_id, clicks, now } = await loadClicks(send, dialect, input.email)
          if (customer_id === null) throw new StoreError('customer_not_found')
          const claimed = click.claim(readDocument(clicks, click.customer), now, readAt)
          const isNew = claimed.result === 'run'
          const { document } = isNew ? click.succeed(now) : claimed
          await applyWrites(send, dialect, [
            ...(isNew ? [{ statement: newRun, parameters: [customer_id, input.action_id, today()] }] : []),
            ...(document ? [clicksWrite(customer_id, withDocument(clicks, click.customer, document))] : []),
          ])
        },
        { waiting, customer: input.email, repeatable: true },
      )
    const run = actions.get(input.action_id)
    if (run === undefined) await record(context)
    else {
      // The click belongs to the action, and not to a change that the function makes.
      await run(input, { ...context, signal: context.signal, click: undefined })
      // Passes a new signal, so that the store records the run even if the caller has disconnected.
      await record({ signal: new AbortController().signal }).catch(reportUnknown)
    }
  }
}

const newRun = 'insert into actions_run (customer_id, action_id, run_on) values ($1, $2, $3)'

/** Converts a StoreError to `upstream_error`, because any other error would mean that the action did not run. */
function reportUnknown(error: unknown): never {
  if (!isStoreError(error)) throw error
  throw new StoreError('upstream_error', 'The action ran, but the store could not record the run.', {
    cause: error.cause,
  })
}
