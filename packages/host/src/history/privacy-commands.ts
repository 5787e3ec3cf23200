import { isStoreError } from '@storeport/core'
import { readArguments } from '../settings/read-arguments.ts'
import { SettingsError } from '@storeport/node'
import { type Ask, askOnTerminal, confirm } from './confirm.ts'
import { withHistory } from './history-command.ts'
import { readEmail } from './read-query.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `storeport export EMAIL`: prints all data of one customer as JSON; throws SettingsError. */
export async function exportCommand(args: readonly string[], env: Environment): Promise<void> {
  const { email, settings } = readCustomer('export', args, {})
  await withHistory('export', settings, env, async (history, store) => {
    const { records } = await history.read({ email, limit: 100_000 })
    const data = await ignoreUnknown(() => store.exportCustomer(email))
    if (data === undefined && records.length === 0) throw new SettingsError('export: no data about this customer')
    console.log(JSON.stringify({ email, ...data, history: records }, undefined, 2))
  })
}

/**
 * `storeport erase EMAIL [--force] [--yes]`: deletes the customer after a confirmation, and preserves the orders.
 * Throws SettingsError.
 */
export async function eraseCommand(args: readonly string[], env: Environment, ask: Ask = askOnTerminal): Promise<void> {
  const { email, has, settings } = readCustomer('erase', args, { force: 'boolean', yes: 'boolean' })
  await withHistory('erase', settings, env, async (history, store) => {
    const { records } = await history.read({ email, limit: 100_000 })
    const data = await ignoreUnknown(() => store.exportCustomer(email))
    if (data !== undefined || records.length > 0) {
      const [subscriptions, orders] = [data?.['subscriptions'] ?? [], data?.['orders'] ?? []]
      console.log(`Customer: ${email}`)
      console.log(
        `Subscriptions: ${subscriptions.length}. Orders: ${orders.length}. Records of the history: ${records.length}.`,
      )
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
    const foreign = await history.countForeign()
    if (foreign > 0)
      throw new SettingsError(
        `erase: ${foreign} records of other keys were not searched. Add the keys to STOREPORT_HISTORY_KEY and repeat the command.`,
      )
  })
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
