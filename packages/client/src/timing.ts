/** Time and chance, as far as a client depends on them. */
export interface Timing {
  /** Milliseconds since the epoch. */
  now(): number
  /** A number from 0 up to, but not including, 1. */
  random(): number
  /** Calls `run` after some milliseconds; returns how to call it off. */
  startTimer(ms: number, run: () => void): () => void
  /** Resolves after some milliseconds; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

/** The real clock and dice. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  startTimer: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  sleep: async (ms, signal) => {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        stop()
        reject(signal?.reason)
      }
      const stop = systemTiming.startTimer(ms, () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      })
      signal?.addEventListener('abort', leave, { once: true })
    })
  },
}
