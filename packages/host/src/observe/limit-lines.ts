import type { Logger } from 'pino'

/** Lines that strangers cause: as many as they like would fill a disk. */
export interface LineLimit {
  /** Whether another line may be written now; one that may not is counted. */
  admits(): boolean
  /** Writes the count of what was not written so far. */
  report(): void
}

/** How long lines are counted together, in milliseconds. */
const windowMs = 1000

/** Admits so many lines in each second, and writes one at its end that counts the rest. */
export function limitLines(log: Pick<Logger, 'warn'>, most: number): LineLimit {
  let [admitted, unloggedCalls] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    clearTimeout(timer)
    timer = undefined
    admitted = 0
    if (unloggedCalls > 0) log.warn({ unloggedCalls }, 'more calls were refused than are logged')
    unloggedCalls = 0
  }

  return {
    admits() {
      timer ??= setTimeout(report, windowMs).unref()
      if (admitted < most) {
        admitted += 1
        return true
      }
      unloggedCalls += 1
      return false
    },
    report,
  }
}
