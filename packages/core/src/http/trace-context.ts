import type { Call } from './call.ts'

/** The trace of a request. */
export interface TraceReference {
  /** Trace id: 32 hexadecimal digits. */
  readonly id: string
  /** Whether the trace is recorded. */
  readonly isSampled: boolean
}

/** Returns the trace in the header `traceparent` (W3C Trace Context); `undefined` if the header is missing or malformed. */
export function readTrace(call: Call): TraceReference | undefined {
  const parts = /^([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(-.*)?$/.exec(
    call.header('traceparent') ?? '',
  )
  if (parts === null) return undefined
  const [, version, id = '', flags = '', more] = parts
  // Only a later version than 00 can have more fields. Version ff is invalid.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return { id, isSampled: isSampled(Number.parseInt(flags, 16)) }
}

/** Whether the lowest bit of the trace flags is set. */
export function isSampled(flags: number): boolean {
  return flags % 2 === 1
}
