import type { Logger } from 'pino'

/** When the event loop is too late. */
export interface EventLoopLimits {
  /** How late it may be before the host says that it is not ready, in milliseconds; default 1,000. */
  readonly mostMs?: number | undefined
  /** For how long the host says so, in milliseconds; default 2,000. */
  readonly rememberedMs?: number | undefined
  /** The time in milliseconds; default `performance.now`. */
  readonly now?: (() => number) | undefined
}

/** How often the event loop is checked, in milliseconds. */
const stepMs = 100

/**
 * Watches how late the event loop is: `isLate` for a while after it was, and a line in the log when that begins.
 *
 * It measures its own timer: a histogram of Node's forgets a delay that spans its `reset()`.
 */
export function watchEventLoop(
  log: Pick<Logger, 'warn'>,
  { mostMs = 1000, rememberedMs = 2000, now = () => performance.now() }: EventLoopLimits = {},
): { isLate(): boolean; stop(): void } {
  let last = now()
  let lateUntil = -Infinity
  const timer = setInterval(() => {
    const time = now()
    const lateMs = time - last - stepMs
    last = time
    if (lateMs <= mostMs) return
    if (time >= lateUntil) {
      log.warn({ eventLoopDelayMs: Math.round(lateMs) }, 'the event loop is late: too much work for one process')
    }
    lateUntil = time + rememberedMs
  }, stepMs)
  timer.unref()
  return {
    isLate: () => now() < lateUntil,
    stop: () => clearInterval(timer),
  }
}
