import { type History, isStoreError } from '@storeport/core'
import { readArguments } from '../settings/read-arguments.ts'
import { SettingsError } from '@storeport/node'
import { type Ask, askOnTerminal, confirm } from './confirm.ts'
import { withHistory } from './history-command.ts'
import { readEmail } from './read-query.ts'

/** Maximum number of records that one call of `history.read` returns. */
const mostRecords = 100_000

type Environment = Readonly<Record<string, string | undefined>>

/** `storeport export EMAIL`: prints all data of one customer as JSON; throws SettingsError. */
export async function exportCommand(args: readonly string[], env: Environment): Promise<void> {
  const { email, settings } = readCustomer('export', args, {})
  await withHistory('export', settings, env, async (history, store) => {
    const { records, unreadable } = await history.read({ email, limit: mostRecords })
    const data = await ignoreUnknown(() => store.exportCustomer(email))
    const isEmpty = data === undefined && records.length === 0
    if (!isEmpty) console.log(JSON.stringify({ email, ...data, history: records }, undefined, 2))
    if (records.length + unreadable >= mostRecords)
      throw new SettingsError(`export: there may be more than the latest ${mostRecords} records of the history.`)
    if (unreadable > 0) throw new SettingsError(`export: ${unreadable} records of the history could not be read.`)
    await rejectForeignRecords('export', history)
    if (isEmpty) throw new SettingsError('export: no data about this customer')
  })
}

/**
 * `storeport erase EMAIL [--force] [--yes]`: deletes the customer after a confirmation, and preserves the orders.
 * Throws SettingsError.
 */
export async function eraseCommand(args: readonly string[], env: Environment, ask: Ask = askOnTerminal): Promise<void> {
  const { email, has, settings } = readCustomer('erase', args, { force: 'boolean', yes: 'boolean' })
  await withHistory('erase', settings, env, async (history, store) => {
    const { records, unreadable } = await history.read({ email, limit: mostRecords })
    const found = records.length + unreadable
    const data = await ignoreUnknown(() => store.exportCustomer(email))
    if (data !== undefined || found > 0) {
      const [subscriptions, orders] = [data?.['subscriptions'] ?? [], data?.['orders'] ?? []]
      console.log(`Customer: ${email}`)
      console.log(`Subscriptions: ${subscriptions.length}. Orders: ${orders.length}. Records of the history: ${found}.`)
      if (!(await confirm('erase', 'Erase this customer? This cannot be undone.', has('yes'), ask))) return
    }
    const outcome = await ignoreUnknown(() => store.eraseCustomer(email, { force: has('force') }))
    if (outcome === 'charge_pending')
      throw new SettingsError('erase: an order of this customer is being charged. Repeat the command later.')
    if (outcome === 'order_open')
      throw new SettingsError('erase: this customer has an open order. Ship or cancel the order, or use --force.')
    const count = await history.erase(email)
    console.log(
      outcome === undefined ? 'The shop has no customer with this email' : 'Erased the customer; the orders remain',
    )
    console.log(`Erased ${count} records of the history`)
    await rejectForeignRecords('erase', history)
  })
}

/** Throws SettingsError if the history contains records whose customers are unknown, because their key is missing. */
async function rejectForeignRecords(command: string, history: History): Promise<void> {
  const foreign = await history.countForeign()
  if (foreign === 0) return
  throw new SettingsError(
    `${command}: ${foreign} records of other keys were not searched. Add the keys to STOREPORT_HISTORY_KEY and repeat the command.`,
  )
}

function readCustomer(command: string, args: readonly string[], own: Parameters<typeof readArguments>[2]) {
  const { words, ...rest } = readArguments(command, args, own)
  const [email, ...others] = words
  if (email === undefined || others.length > 0) throw new SettingsError(`${command}: run storeport ${command} EMAIL.`)
  return { email: readEmail(email), ...rest }
}

/** Returns `undefined` if the customer does not exist. */
async function ignoreUnknown<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read()
  } catch (error) {
    if (isStoreError(error) && error.code === 'customer_not_found') return undefined
    throw error
  }
}
