/** Clock, timers and random values of the guard. The schedule explorer in the tests replaces them. */
export interface Runtime {
  /** Returns whole milliseconds of a monotonic clock. */
  now(): number
  /** Returns milliseconds since 1970. */
  date(): number
  /**
   * Runs a function after a delay and returns a function that cancels the timer. If `isIdle` is true, the timer does
   * not keep the process alive.
   */
  after(ms: number, run: () => void, isIdle?: boolean): () => void
  id(): string
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random(): number
}

export const systemRuntime: Runtime = {
  // Returns whole numbers, because V8 allocates an object for each number that is not a small integer.
  now: () => Math.floor(performance.now()),
  date: () => Date.now(),
  after: (ms, run, isIdle = false) => {
    const timer: unknown = setTimeout(run, ms)
    // Only Node's timers have `unref`.
    if (isIdle && typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
      timer.unref()
    // oxlint-disable-next-line typescript/consistent-type-assertions -- the return value of setTimeout, whose type depends on the runtime
    return () => clearTimeout(timer as number)
  },
  // Reading a character makes V8 flatten the string, which would otherwise retain its twenty parts.
  id: () => {
    const id = crypto.randomUUID()
    return id.charCodeAt(0) === 0 ? '' : id
  },
  random: () => Math.random(),
}

/** Waits for a promise. Rejects with an Error after `timeoutMs`. */
export function within<Value>(runtime: Runtime, promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = runtime.after(timeoutMs, () => reject(new Error(`No response within ${timeoutMs} ms.`)))
    promise.then(resolve, reject).finally(cancel)
  })
}

/** Logs a warning on the console. */
export function noticeOnConsole(notice: string): void {
  console.warn(`storeport: ${notice}`)
}
