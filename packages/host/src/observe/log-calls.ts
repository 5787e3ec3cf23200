import type { Observe } from '@storeport/core'
import type { Logger } from 'pino'

/** Writes one line for each call: no email, no key, no body. */
export function logCalls(log: Logger): Observe {
  return async (_call, run) => {
    const start = performance.now()
    const outcome = await run()
    const { requestId, endpoint, code, replayed, testMode, storeMs } = outcome
    const { status } = outcome.answer
    const line = {
      requestId,
      endpoint,
      status,
      code,
      ms: round(performance.now() - start),
      storeMs: round(storeMs),
    }
    log[status >= 500 ? 'error' : 'info'](
      { ...line, ...(replayed && { replayed }), ...(testMode && { testMode }) },
      'call',
    )
    return outcome
  }
}

function round(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * 100) / 100
}
