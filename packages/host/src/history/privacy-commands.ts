import { setTimeout as sleep } from 'node:timers/promises'
import { isStoreError } from '@storeport/core'
import { SettingsError } from '@storeport/node'
import { askOnTerminal, confirm, withDatabase } from '../database-commands.ts'
import type { Environment } from '../settings/settings.ts'
import { mostRecords, readCustomer } from './history-command.ts'

/** Time after which each running host has written or dropped its earlier records, in milliseconds. */
const recordsWrittenMs = 6000

/** `storeport export EMAIL`: prints all data of one customer as JSON; throws SettingsError. */
export async function exportCommand(args: readonly string[], env: Environment): Promise<void> {
  const { email, settings } = readCustomer('export', args, env, {})
  await withDatabase('export', settings, async (store) => {
    const records = await store.clickRecords({ email, limit: mostRecords })
    const data = await store.exportCustomer(email).catch(ignoreUnknown)
    if (data === undefined && records.length === 0) throw new SettingsError('export: no data about this customer')
    console.log(JSON.stringify({ email, ...data, click_records: records }, undefined, 2))
    if (records.length >= mostRecords)
      throw new SettingsError(`export: there may be more than the latest ${mostRecords} records of clicks.`)
  })
}

/**
 * `storeport erase EMAIL [--force] [--yes]`: deletes the customer after a confirmation, and preserves the orders.
 * Throws SettingsError. Tests replace `ask` and `wait`.
 */
export async function eraseCommand(
  args: readonly string[],
  env: Environment,
  ask = askOnTerminal,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  const { email, has, settings } = readCustomer('erase', args, env, { force: 'boolean', yes: 'boolean' })
  await withDatabase('erase', settings, async (store) => {
    const data = await store.exportCustomer(email).catch(ignoreUnknown)
    const [subscriptions, orders] = [data?.['subscriptions'] ?? [], data?.['orders'] ?? []]
    console.log(`Customer: ${email}`)
    console.log(`Subscriptions: ${subscriptions.length}. Orders: ${orders.length}.`)
    if (!(await confirm('erase', has('yes'), 'Erase this customer? This cannot be undone. [y/N] ', ask))) return
    const outcome = await store.eraseCustomer(email, { force: has('force') }).catch(ignoreUnknown)
    if (outcome === 'charge_pending')
      throw new SettingsError('erase: an order of this customer is being charged. Repeat the command later.')
    if (outcome === 'order_open')
      throw new SettingsError(
        'erase: this customer has an open order. Call markOrder of @storeport/store-sql to ship or cancel the order, or use --force.',
      )
    let count = await store.eraseClickRecords(email)
    console.log('Waiting 6 s for the records that running hosts have not written yet')
    await wait(recordsWrittenMs)
    count += await store.eraseClickRecords(email)
    console.log(
      outcome === undefined ? 'The shop has no customer with this email' : 'Erased the customer; the orders remain',
    )
    console.log(`Erased ${count} records of clicks`)
  })
}

/** Handles a rejection: returns `undefined` if the customer does not exist. */
function ignoreUnknown(error: unknown): undefined {
  if (!isStoreError(error) || error.code !== 'customer_not_found') throw error
}
