import {
  type Call,
  createIntegration,
  type EndpointName,
  endpointRow,
  type History,
  type HistoryRecord,
} from '@storeport/core'
import { SettingsError } from '@storeport/node'
import type { SqlStore } from '@storeport/store-sql'
import { rejectCopy } from '../copied-database.ts'
import { dayMs } from '../open-store.ts'
import { readArguments } from '../settings/read-arguments.ts'
import type { Settings } from '../settings/settings.ts'
import { type Ask, askOnTerminal, confirm } from './confirm.ts'
import { describeFailure, describeRecord } from './describe-record.ts'
import { describeOrder, ordersOf, withHistory } from './history-command.ts'
import { formatTime } from './times.ts'

/** A failed click that can run again. */
interface FailedClick {
  /** The latest failed request with the given id. */
  readonly record: HistoryRecord
  /** The requests of the click whose outcome is unknown, oldest first. */
  readonly unknown: readonly HistoryRecord[]
  /** The latest earlier success of the same request within a day, if any. */
  readonly success: HistoryRecord | undefined
}

/**
 * `storeport replay REQUEST_ID [--yes]`: shows a failed click, and runs it again under its own identity after a confirmation.
 * Throws SettingsError. `ask` returns `undefined` without a terminal.
 */
export async function replayCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  ask: Ask = askOnTerminal,
): Promise<void> {
  const { words, has, settings: rest } = readArguments('replay', args, { yes: 'boolean' })
  const [requestId, ...others] = words
  if (requestId === undefined || others.length > 0)
    throw new SettingsError('replay: run storeport replay REQUEST_ID. The history shows the ids.')
  await withHistory('replay', rest, env, async (history, store, settings) => {
    if (!settings.retries) throw new SettingsError('replay: requires STOREPORT_RETRIES=on')
    await rejectCopy('replay', settings, store.publicUrl)
    await printPlan(await findFailedClick(history, requestId), store, settings)
    if (!(await confirm('replay', 'Run this click again?', has('yes'), ask))) return
    // Reads again, because the click may have succeeded before the confirmation.
    await run(await findFailedClick(history, requestId), history, store, settings)
  })
}

/** Finds the click of a failed request. Throws SettingsError unless the click can run again. */
async function findFailedClick(history: History, requestId: string): Promise<FailedClick> {
  const { records: found, unreadable } = await history.read({ requestId })
  const record = found.at(-1)
  if (record === undefined) {
    throw new SettingsError(
      unreadable > 0
        ? 'replay: the record of this request has another key, or another version of StorePort wrote it. Add the key to STOREPORT_HISTORY_KEY.'
        : 'replay: the history contains no failed request with this id. A click that succeeded is not replayed.',
    )
  }
  const { operation, at } = record
  if (!found.every((each) => isSameClick(each, record)))
    throw new SettingsError('replay: several clicks have this request id. Replay is not possible.')
  if (endpointRow(operation).method === 'GET')
    throw new SettingsError(`replay: only a change can run again. The request was ${operation}.`)
  if (record.code === 'invalid_request')
    throw new SettingsError('replay: the request was invalid, and its fields were not stored.')
  // The outcome of a click can stay unknown for a day.
  const all = await history.read({ email: record.email, since: at - dayMs, limit: 100_000 })
  const same = all.records.filter((each) => isSameClick(each, record))
  const succeeded = same.filter(({ status }) => status < 400)
  const key = record.clickKey
  const isDone = (success: HistoryRecord) => {
    if (success.at >= at || (key !== undefined && success.clickKey === key)) return true
    // Within the window, a repeat without a key is not rejected unless there was another change. Without another change, the
    // success was later, on a host with another clock.
    const windowMs = record.namedKey === undefined ? (endpointRow(operation).retryWindowMs ?? 0) : 0
    const changes = all.records.filter(({ scope, status }) => scope === record.scope && status < 400)
    return success.at >= at - windowMs && !changes.some((each) => each.at > success.at && each.at <= at)
  }
  const done = succeeded.find(isDone)
  if (done !== undefined)
    throw new SettingsError(`replay: the click has succeeded with request ${done.requestId}. Nothing was changed.`)
  const success = succeeded.at(-1)
  const lastSuccess = success?.at ?? 0
  // A request that failed with 504 is followed by the record of its end.
  const isRejectedLate = ({ requestId: id, clickKey }: HistoryRecord) =>
    same.some((each) => each.late && !each.unknown && each.requestId === id && each.clickKey === clickKey)
  const unknown = same.filter((each) => each.at > lastSuccess && each.unknown === true && !isRejectedLate(each))
  return { record, unknown, success }
}

/** Whether two requests of a customer are the same click: the same `Idempotency-Key`, or the same fields without a key. */
function isSameClick(one: HistoryRecord, other: HistoryRecord): boolean {
  const { operation, namedKey, email, scope } = other
  const isLike = one.operation === operation && one.namedKey === namedKey && one.scope === scope
  const isSame = isLike && one.email.toLowerCase() === email.toLowerCase()
  return isSame && (namedKey !== undefined || JSON.stringify(one.input) === JSON.stringify(other.input))
}

async function printPlan(
  { record, unknown, success }: FailedClick,
  store: SqlStore,
  settings: Settings,
): Promise<void> {
  const time = formatTime(record.at, settings.timeZone)
  const orders = (await ordersOf(store, record.email)) ?? []
  const since = orders.filter(({ placed_on: placed }) => placed >= time.slice(0, 10))
  const named = record.namedKey === undefined ? '' : `, with the Idempotency-Key ${record.namedKey}`
  const lines = [
    `${time}  ${describeRecord(record).asked} → ${describeFailure(record)}`,
    `Customer: ${record.email}${named}`,
    unknown.length === 0
      ? 'The click was rejected, so it changed nothing.'
      : 'The outcome of the click is unknown. If it has taken effect, nothing is changed.',
    ...(success === undefined
      ? []
      : [
          `The same request succeeded before: ${formatTime(success.at, settings.timeZone)}, request ${success.requestId}`,
        ]),
    ...since.map((order) => `Since that day: ${describeOrder(order, store.currency)}`),
  ]
  console.log(lines.join('\n'))
}

/** Runs a click through a new integration over the same store, ledger and history. Throws SettingsError if it fails. */
async function run(
  { record, unknown }: FailedClick,
  history: History,
  store: SqlStore,
  { vendor }: Settings,
): Promise<void> {
  const apiKey = crypto.randomUUID()
  const pauses = await store.pauses.read()
  let isReplayed = false
  const integration = createIntegration({
    store,
    history,
    vendor,
    apiKeys: [apiKey],
    isPaused: (operation: EndpointName) => pauses.get(operation),
    observe: async (_call, send) => {
      const outcome = await send()
      isReplayed = outcome.replayed
      return outcome
    },
    onError: () => {},
  })
  const { basePath, apiKeyHeader } = integration
  if (record.scope !== basePath)
    throw new SettingsError(`replay: the click belongs to ${record.scope}, not to ${basePath}. Set STOREPORT_VENDOR.`)
  const { operation, email, input, namedKey, requestId } = record
  const headers: Readonly<Record<string, string>> = {
    [apiKeyHeader.toLowerCase()]: apiKey,
    'content-type': 'application/json',
    ...(namedKey !== undefined && { 'idempotency-key': `"${namedKey.replaceAll(/["\\]/g, String.raw`\$&`)}"` }),
  }
  const [first = record] = unknown
  const key = unknown.findLast(({ clickKey }) => clickKey !== undefined)?.clickKey
  const call: Call = {
    method: 'POST',
    path: basePath + endpointRow(operation).path,
    query: '',
    header: (name) => headers[name],
    text: async () => JSON.stringify({ ...input, email }),
    replay: {
      requestId,
      key: unknown.length === 0 ? record.clickKey : key,
      isUnknown: unknown.length > 0,
      ageMs: Date.now() - first.at,
    },
  }
  const { status, body } = await integration.answer(call)
  await history.flush()
  if (status === 200) {
    const { result } = describeRecord({ ...record, status, code: undefined, late: undefined, unknown: undefined })
    return console.log(isReplayed ? 'The click had already taken effect. Nothing was changed' : `Done: ${result}`)
  }
  const { error }: { readonly error: { readonly code: string; readonly message: string } } = JSON.parse(body)
  throw new SettingsError(`replay: failed again: ${status} ${error.code}. ${error.message}`)
}
