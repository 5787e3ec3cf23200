import type { Call, CallOutcome, Observe } from '@storeport/core'
import type { Logger } from 'pino'
import type { LineLimit } from './limit-lines.ts'

/** Where calls are logged, and how many of those that anybody can make. */
export interface CallLog {
  /** Takes the lines. */
  readonly log: Logger
  /** Bounds the lines of refused calls that came without a valid key. */
  readonly strangers: LineLimit
  /** The address that a call came from. */
  addressOf(call: Call): string
}

/** Writes one line for each call: no email, no key, no body. The line of a call without a valid key names its address, and there are only so many of them. */
export function logCalls({ log, strangers, addressOf }: CallLog): Observe {
  return async (call, run) => {
    const start = performance.now()
    const outcome = await run()
    if (isForAnybody(outcome) && !strangers.admits()) return outcome
    const { requestId, endpoint, code, replayed, testMode, storeMs } = outcome
    const { status } = outcome.answer
    const line = {
      requestId,
      endpoint,
      status,
      code,
      ms: round(performance.now() - start),
      storeMs: round(storeMs),
      address: code === 'unauthorized' ? addressOf(call) : undefined,
    }
    log[status >= 500 ? 'error' : 'info'](
      { ...line, ...(replayed && { replayed }), ...(testMode && { testMode }) },
      'call',
    )
    return outcome
  }
}

/** Whether a call was refused before it was known whether its key is right: such calls cost nothing to make. */
export function isForAnybody({ code, endpoint }: Pick<CallOutcome, 'code' | 'endpoint'>): boolean {
  return code === 'unauthorized' || (code === 'store_unavailable' && endpoint === undefined)
}

function round(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 100) / 100
}
