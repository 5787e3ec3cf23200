/** Clock, timers and ids of the guard and of the ledgers. */
export const systemRuntime = {
  // A monotonic clock with whole milliseconds, because V8 allocates an object for each number that is not a small integer.
  now: () => Math.floor(performance.now()),
  /** Returns a function that cancels the timer. If `isIdle` is true, the timer does not keep the process alive. */
  after: (ms: number, run: () => void, isIdle = false) => {
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

/** Waits for a promise. After `ms` milliseconds, settles with the result of `late`. */
export function within<Value>(promise: Promise<Value>, ms: number, late: () => Value): Promise<Value> {
  let cancel = () => {}
  const timer = new Promise<void>((resolve) => {
    cancel = systemRuntime.after(ms, resolve)
  })
  return Promise.race([promise, timer.then(late)]).finally(cancel)
}

/** Logs a warning on the console. */
export function noticeOnConsole(notice: string): void {
  console.warn(`storeport: ${notice}`)
}
