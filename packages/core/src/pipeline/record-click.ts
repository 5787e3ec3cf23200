import type { ClickRecord } from '../contract/click-record.ts'
import { CustomerInput } from '../contract/schemas.ts'
import type { Call } from '../http/call.ts'
import { parseBody } from './read-input.ts'
import type { CheckedInput } from '../retries/click.ts'
import { sha256 } from '../retries/runtime.ts'
import { type OnError, reportFailure } from './failure.ts'
import type { Progress } from './integration.ts'

/** Facts about a change that its record contains and that observers do not receive. */
export interface RecordedRequest {
  readonly call: Call
  readonly date: number
  readonly start: number
  readonly apiKey: string
  /** Body as sent. */
  readonly sent: string
  /** Valid input; `undefined` until the input is read. */
  input: CheckedInput | undefined
}

/** Passes the record of a change to `onClick`. Never throws. */
export type RecordClick = (request: RecordedRequest, progress: Progress, status: number) => void

/** Maximum number of promises of `onClick` that are pending. Further records are dropped. */
const maxPending = 1000
/** Minimum time between two reports of dropped records, in milliseconds. */
const reportEveryMs = 60_000

/** Creates the function that records changes. No request waits for `onClick`, and no error of `onClick` changes a response. */
export function createRecordClick(onClick: (record: ClickRecord) => unknown, onError: OnError): RecordClick {
  let pending = 0
  let dropped = 0
  let reportedAt = -Infinity

  function drop(progress: Progress): void {
    dropped += 1
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    const error = new Error(`onClick: ${maxPending} calls are pending. Records dropped since the start: ${dropped}.`)
    reportFailure(error, 'internal_error', progress, onError)
  }

  return (request, progress, status) => {
    const facts = factsOf(request, progress, status)
    if (facts === undefined) return
    if (pending >= maxPending) return drop(progress)
    pending += 1
    const run = async () => onClick({ ...facts, keyName: (await sha256(request.apiKey)).slice(0, 8) })
    const done = run()
      .then(
        () => {},
        (error: unknown) => reportFailure(error, 'internal_error', progress, onError),
      )
      .finally(() => (pending -= 1))
    try {
      request.call.waitUntil?.(done)
    } catch (error) {
      reportFailure(error, 'internal_error', progress, onError)
    }
  }
}

/** Returns the record without the name of the key; `undefined` if the request names no customer. */
function factsOf(
  { date, start, sent, input }: RecordedRequest,
  { endpoint, requestId, code, replayed }: Progress,
  status: number,
): Omit<ClickRecord, 'keyName'> | undefined {
  const { email, ...fields } = input ?? { email: readEmail(sent) }
  if (endpoint === undefined || typeof email !== 'string') return undefined
  return {
    time: new Date(date).toISOString(),
    operation: endpoint,
    email,
    input: fields,
    status,
    ...(code !== undefined && { code }),
    repeat: replayed,
    durationMs: Math.round(performance.now() - start),
    requestId,
  }
}

/** Returns the email of a request whose input is invalid. */
function readEmail(sent: string): string | undefined {
  try {
    return CustomerInput.safeParse(parseBody(sent)).data?.email
  } catch {
    return undefined
  }
}
