import {
  type Click,
  type CompleteStorePort,
  type Context,
  isStoreError,
  type RunCustomActionInput,
  StoreError,
} from '@storeport/core'
import type { ShopSettings } from '@storeport/rules'
import { changeAccount, runClick } from './account/change-account.ts'
import { clickOfCall, readColumn } from './account/click-column.ts'
import { loadAccount, onlyCustomer } from './account/load-account.ts'
import type { Waiting } from './db/connections.ts'
import type { Database } from './db/database.ts'
import { readSetting } from './db/settings.ts'
import type { SqlStoreOptions } from './sql-store.ts'

/** The validated options that the methods use. */
export interface StoreSettings extends ShopSettings, Pick<SqlStoreOptions, 'actions' | 'charge' | 'data'> {}

/**
 * Creates `runCustomAction`, which rejects actions that are neither in the options nor in the shop data.
 *
 * The merchant's function runs outside any transaction, so that a slow function does not hold locks. If recording the
 * run fails, a retry runs the function again with the same `context.idempotencyKey`.
 */
export function createActionRunner(database: Database, settings: StoreSettings): CompleteStorePort['runCustomAction'] {
  const actions = new Map(Object.entries(settings.actions ?? {}))
  /**
   * Returns whether an earlier call without an integration has recorded the run. Throws StoreError `customer_not_found`
   * or `action_not_found`.
   */
  const isRecorded = ({ email, action_id }: RunCustomActionInput, context: Context, own: Click) =>
    database.read(async (db, send) => {
      const readAt = performance.now()
      const loaded = await loadAccount(send, database.dialect, { email }, onlyCustomer, true)
      if (loaded === undefined) throw new StoreError('customer_not_found')
      const ids: readonly string[] = actions.has(action_id)
        ? [action_id]
        : JSON.parse((await readSetting(db, 'actions')) ?? '[]')
      if (!ids.includes(action_id)) throw new StoreError('action_not_found')
      if (context.click !== undefined) return false
      return own.claim(readColumn(loaded.clicks, own.customer).document, loaded.now, readAt).result !== 'run'
    }, context)

  const record = ({ email, action_id }: RunCustomActionInput, click: Click, waiting?: Waiting) =>
    changeAccount(
      database,
      { email },
      onlyCustomer,
      (loaded, readAt) => {
        if (loaded === undefined) throw new StoreError('customer_not_found')
        const statement = 'insert into actions_run (customer_id, action_id, run_on) values (?, ?, ?)'
        const parameters = [loaded.customer_id, action_id, settings.today()]
        return runClick(click, loaded, readAt, () => ({ writes: [{ statement, parameters }] }))
      },
      { waiting },
    )

  return async (input, context) => {
    const click = clickOfCall('runCustomAction', input, context)
    if (await isRecorded(input, context, click)) return
    const run = actions.get(input.action_id)
    if (run === undefined) await record(input, click, context)
    else {
      // The click belongs to the action, and not to a change that the function makes.
      await run(input, { ...context, signal: context.signal, click: undefined })
      // Records the run even if the caller has disconnected.
      await record(input, click).catch(reportUnknown)
    }
  }
}

/** Converts a StoreError to `upstream_error`, because any other error would mean that the action did not run. */
function reportUnknown(error: unknown): never {
  if (!isStoreError(error)) throw error
  throw new StoreError('upstream_error', 'The action ran, but the store could not record the run.', {
    cause: error.cause,
  })
}
