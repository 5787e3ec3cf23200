import { createHistory, type History, type HistoryRecord, isStoreError, minorUnitDigits } from '@storeport/core'
import type { PlacedOrder, SqlStore } from '@storeport/store-sql'
import { openDatabase } from '../open-store.ts'
import { readArguments } from '../settings/read-arguments.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { SettingsError } from '@storeport/node'
import { describeFailure, describeRecords } from './describe-record.ts'
import { readHistoryKeys } from './open-history.ts'
import { readHistoryQuery } from './read-query.ts'
import { formatTime } from './times.ts'

/** Maximum number of records that a command reads. */
const mostRecords = 10_000
/** A retention that deletes nothing, because the retention of the hosts may be longer than the setting of the command. */
const endlessDays = 36_500

/**
 * `storeport history EMAIL` prints the clicks of a customer; `storeport history --failed` prints failures by cause.
 * Throws SettingsError.
 */
export async function historyCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const {
    words,
    has,
    text,
    settings: rest,
  } = readArguments('history', args, {
    failed: 'boolean',
    json: 'boolean',
    since: 'string',
  })
  const [email, ...others] = words
  if (others.length > 0) throw new SettingsError('history: too many arguments. Pass one email.')
  if ((email === undefined) !== has('failed'))
    throw new SettingsError('history: run storeport history EMAIL, or storeport history --failed.')
  const { timeZone } = readSettings(rest, env)
  const query = readHistoryQuery({ email, since: text('since'), failed: String(has('failed')) }, timeZone)
  await withHistory('history', rest, env, async (history, store, settings) => {
    const { records, unreadable } = await history.read({ ...query, limit: mostRecords })
    if (has('json')) console.log(JSON.stringify({ records, unreadable }, null, 2))
    else if (email === undefined) printCauses(records, settings)
    else await printTimeline(records, email, store, settings)
    for (const notice of await describeGaps(history, records.length, unreadable)) console.error(notice)
  })
}

/** Describes why the records that were read may be incomplete. */
async function describeGaps(history: History, read: number, unreadable: number): Promise<readonly string[]> {
  const foreign = unreadable > 0 || read === 0 ? await history.countForeign() : 0
  return [
    ...(read + unreadable < mostRecords
      ? []
      : [`Only the latest ${mostRecords} records were read. To read all records of a shorter time, use --since.`]),
    ...(foreign === 0
      ? []
      : [`${foreign} records were written with another key. Add the key to STOREPORT_HISTORY_KEY.`]),
    ...(foreign > 0 || unreadable === 0
      ? []
      : [`${unreadable} records could not be read. Another version of StorePort wrote them, or they are damaged.`]),
  ]
}

/** Opens the database and its history, runs `use` and closes the database; throws SettingsError. */
export async function withHistory(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  use: (history: History, store: SqlStore, settings: Settings) => Promise<void>,
): Promise<void> {
  const settings = readSettings(args, env)
  if (settings.store === 'memory')
    throw new SettingsError(
      `${command}: STOREPORT_STORE must be a database, not memory. For memory, use the playground or GET /admin/history.`,
    )
  const store = await openDatabase(settings)
  try {
    const history = createHistory(store.history, {
      keys: await readHistoryKeys(command, settings, store.history),
      retentionDays: endlessDays,
    })
    await use(history, store, settings)
  } catch (error) {
    if (isStoreError(error)) throw new SettingsError(`${command}: ${error.message}`)
    throw error
  } finally {
    await store.close()
  }
}

async function printTimeline(
  records: readonly HistoryRecord[],
  email: string,
  store: SqlStore,
  settings: Settings,
): Promise<void> {
  const orders = await ordersOf(store, email)
  const lines = describeRecords(records)
  if (lines.length === 0) console.log('No recorded clicks.')
  for (const { at, asked, result, failed, requestId } of lines) {
    const time = formatTime(at, settings.timeZone)
    const placed = orders?.filter(({ kind, placed_on }) => kind === 'subscription' && time.startsWith(placed_on)) ?? []
    // The record does not contain the order, so the number is printed only if the day has one order.
    const text = placed.length === 1 ? result.replace(/^order created/, `order ${placed[0]?.number} created`) : result
    console.log(`${time}  ${asked} → ${text}${failed ? ` (request ${requestId})` : ''}`)
  }
  if (orders === undefined) console.log('\nThe shop has no customer with this email.')
  else if (orders.length > 0)
    console.log(`\nOrders\n${orders.map((order) => describeOrder(order, store.currency)).join('\n')}`)
}

/** Returns the orders of a customer; `undefined` if the customer does not exist. */
export async function ordersOf(store: SqlStore, email: string): Promise<readonly PlacedOrder[] | undefined> {
  return store.orders(email, { limit: 1000 }).catch((error: unknown) => {
    if (isStoreError(error) && error.code === 'customer_not_found') return undefined
    throw error
  })
}

/** Describes an order in one line, and its items in further lines. */
export function describeOrder(order: PlacedOrder, currency: string): string {
  const digits = minorUnitDigits(currency)
  const amount = (minor: number) => `${(minor / 10 ** digits).toFixed(digits)} ${currency}`
  const discount = order.discount_minor > 0 ? `, with a discount of ${amount(order.discount_minor)}` : ''
  const head = `${order.placed_on}  order ${order.number} (${order.kind}), ${order.status}: ${amount(order.total_minor)}${discount}`
  const items = order.lines.map(
    ({ quantity, title, one_time }) => `${quantity} × ${title}${one_time ? ', one-time' : ''}`,
  )
  return [head, ...items].join('\n            ')
}

/** Prints the failures by operation and code, most frequent first. */
function printCauses(records: readonly HistoryRecord[], settings: Settings): void {
  const causes = new Map<string, HistoryRecord[]>()
  for (const record of records) {
    const cause = `${record.operation} ${describeFailure(record)}`
    causes.set(cause, [...(causes.get(cause) ?? []), record])
  }
  if (causes.size === 0) console.log('No recorded failures.')
  for (const [cause, each] of [...causes].toSorted(([, one], [, other]) => other.length - one.length)) {
    const last = each.at(-1)
    if (last === undefined) continue
    console.log(`${String(each.length).padStart(5)} × ${cause}`)
    console.log(
      `        latest ${formatTime(last.at, settings.timeZone)}, request ${last.requestId}, customer ${last.email}`,
    )
  }
}
