import { endpointRow, forEachEndpoint } from '../contract/endpoints.ts'
import { errors, isStoreError, outcomeOf, StoreTimeout } from '../contract/errors.ts'
import { CustomerInput } from '../contract/schemas.ts'
import type { EndpointName, Reconciled } from '../contract/store-port.ts'
import type { Call } from '../http/call.ts'
import { parseBody, readQuery } from '../http/read-request.ts'
import type { History, HistoryEntry } from '../history/history.ts'
import { type CheckedInput, readIdempotencyKey } from '../retries/click.ts'
import type { PendingClick } from '../retries/pending-click.ts'
import type { Progress } from './observe.ts'

/** Facts that the steps of a request collect for the history. They name the customer, so observers do not receive them. */
export interface CallTrace {
  readonly call: Call
  readonly scope: string
  readonly at: number
  readonly start: number
  apiKey: string
  /** Query or body as sent. */
  sent: string
  isQuery: boolean
  /** Valid input; `undefined` until the input is read. */
  input: CheckedInput | undefined
  /** Idempotency key of the store call, or the click that contains the key. */
  attempt: string | PendingClick | undefined
  reconciled: Reconciled | undefined
}

/** Starts to collect the facts about a request. */
export function startTrace(call: Call, scope: string): CallTrace {
  return {
    call,
    scope,
    at: Date.now(),
    start: performance.now(),
    apiKey: '',
    sent: '',
    isQuery: false,
    input: undefined,
    attempt: undefined,
    reconciled: undefined,
  }
}

/** Details of a failed request, or of a store call that ended after its response. */
interface End {
  /** The error of a failed request. */
  readonly error?: unknown
  readonly late?: true
}

/** Records a change, and a failure that names a customer. Never throws. */
export function recordCall(
  history: Pick<History, 'record'>,
  trace: CallTrace,
  progress: Progress,
  status: number,
  end?: End,
): void {
  try {
    const entry = entryOf(trace, progress, status, end)
    if (entry !== undefined) history.record(entry)
  } catch {
    // A history that fails must not change the response.
    return
  }
}

/** Records the end of a store call that continues after its request has failed with 504. */
export function recordLateEnd(
  history: Pick<History, 'record'>,
  trace: CallTrace,
  progress: Progress,
  error: unknown,
): void {
  if (!(error instanceof StoreTimeout) || trace.isQuery) return
  const record = (status: number, code: Progress['code'], end: End) =>
    recordCall(history, { ...trace, at: Date.now() }, { ...progress, code }, status, end)
  error.end.then(
    () => record(200, undefined, { late: true }),
    (late: unknown) => {
      const code = isStoreError(late) ? late.code : 'internal_error'
      record(errors[code].status, code, { late: true, error: late })
    },
  )
}

/** Creates the entry in one literal, without spreads, because it is part of every click. */
function entryOf(trace: CallTrace, progress: Progress, status: number, end?: End): HistoryEntry | undefined {
  const { call, scope, apiKey, isQuery, at, start, attempt, reconciled } = trace
  const { endpoint: operation, requestId, code, replayed, testMode, paused } = progress
  // Test requests are not clicks of customers.
  if (operation === undefined || testMode || (isQuery && code === undefined)) return undefined
  const email = trace.input === undefined ? readEmail(trace) : trace.input['email']
  if (typeof email !== 'string') return undefined
  return {
    at,
    requestId,
    operation,
    email,
    scope,
    input: trace.input === undefined ? {} : pickFields(operation, trace.input),
    namedKey: isQuery ? undefined : readNamedKey(call),
    status,
    code,
    unknown: (!isQuery && end !== undefined && 'error' in end && outcomeOf(end.error) === 'unknown') || undefined,
    paused: paused || undefined,
    replayed: replayed || undefined,
    replayOf: call.replay?.requestId,
    reconciled,
    // The key of a replay is not the key of the attempt that made the change.
    clickKey: replayed ? undefined : typeof attempt === 'object' ? attempt.idempotencyKey : attempt,
    late: end?.late,
    ms: Math.round(performance.now() - start),
    apiKey,
  }
}

/** Returns the email of a request whose input is invalid; `undefined` if the request names no customer. */
function readEmail({ sent, isQuery }: CallTrace): string | undefined {
  try {
    return CustomerInput.safeParse(isQuery ? readQuery(sent, ['email']) : parseBody(sent)).data?.email
  } catch {
    return undefined
  }
}

function readNamedKey(call: Call): string | undefined {
  try {
    return readIdempotencyKey(call)
  } catch {
    // The key is invalid, so the request has failed.
    return undefined
  }
}

/** Fields that a record contains. A new field of the API is recorded only after it is added here. */
const recordedFields = [
  'product_id',
  'quantity',
  'one_time',
  'discount_code',
  'new_date',
  'current_item_id',
  'new_product_id',
  'subscription_id',
  'action_id',
]

const fieldsOf = forEachEndpoint((name) =>
  recordedFields.filter((field) => field in endpointRow(name).input._zod.def.shape),
)

function pickFields(operation: EndpointName, input: CheckedInput): CheckedInput {
  const picked: Record<string, unknown> = {}
  for (const field of fieldsOf[operation]) if (input[field] !== undefined) picked[field] = input[field]
  return picked
}
