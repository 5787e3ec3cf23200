/** The clock, the timers and the random ids of the guard, which the explorer of all schedules replaces. */
export interface Runtime {
  /** Whole milliseconds on a clock that is never set. */
  now(): number
  /** Milliseconds since 1970. */
  date(): number
  /** Runs a function after some milliseconds; returns how to cancel it. `isIdle`: a process may end before. */
  after(ms: number, run: () => void, isIdle?: boolean): () => void
  /** A random id. */
  id(): string
  /** A random number from 0 to less than 1. */
  random(): number
}

export const systemRuntime: Runtime = {
  // V8 makes an object for each number that is not a small integer.
  now: () => Math.floor(performance.now()),
  date: () => Date.now(),
  after: (ms, run, isIdle = false) => {
    const timer: unknown = setTimeout(run, ms)
    // Only Node's timers keep a process alive.
    if (isIdle && typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
      timer.unref()
    // oxlint-disable-next-line typescript/consistent-type-assertions -- what setTimeout returned, of whatever type the runtime has
    return () => clearTimeout(timer as number)
  },
  // V8 makes a UUID of twenty parts, which would all be stored with it until a character is read.
  id: () => {
    const id = crypto.randomUUID()
    return id.charCodeAt(0) === 0 ? '' : id
  },
  random: () => Math.random(),
}

/** Waits for a promise for at most `timeoutMs`; rejects with an Error if it takes longer. */
export function within<Value>(runtime: Runtime, promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = runtime.after(timeoutMs, () => reject(new Error(`No response within ${timeoutMs} ms.`)))
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Writes a sentence for whoever runs the shop. */
export function noticeOnConsole(notice: string): void {
  console.warn(`storeport: ${notice}`)
}
