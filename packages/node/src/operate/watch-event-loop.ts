import type { Log } from './log.ts'

/** Limits of the event loop delay. */
export interface EventLoopLimits {
  /** Delay above which the server is not ready, in milliseconds; default 1,000. */
  readonly mostMs?: number | undefined
  /** Time that the server remains not ready after a delay, in milliseconds; default 2,000. */
  readonly rememberedMs?: number | undefined
  /** Clock in milliseconds; default `performance.now`. */
  readonly now?: (() => number) | undefined
}

/** Interval of the check, in milliseconds. */
const stepMs = 100

/**
 * Logs the start of each event loop delay above `mostMs`. `isLate` returns true until `rememberedMs` after the delay.
 *
 * Uses a timer, because the histogram of Node's `monitorEventLoopDelay` loses a delay that spans its `reset()`.
 */
export function watchEventLoop(
  log: Pick<Log, 'warn'>,
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
      log.warn({ eventLoopDelayMs: Math.round(lateMs) }, 'the event loop is delayed: the process is overloaded')
    }
    lateUntil = time + rememberedMs
  }, stepMs)
  timer.unref()
  return {
    isLate: () => now() < lateUntil,
    stop: () => clearInterval(timer),
  }
}
