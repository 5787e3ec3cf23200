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

type Hash = (algorithm: 'sha256', value: string) => string

/** The part of Node's `process` that `findHash` uses. Other runtimes may have no `process`. */
interface Process {
  getBuiltinModule?(id: 'node:crypto'): { readonly hash?: Hash } | undefined
}

/** `crypto.hash`, or `none` in a runtime without `crypto.hash`; `undefined` before the first use. */
let hash: Hash | 'none' | undefined

/**
 * Returns the SHA-256 digest of a string in lowercase hex. Returns a promise only if the runtime hashes asynchronously.
 *
 * Loads node:crypto on first use, because node:crypto takes as long to load as this package. @storeport/node loads
 * node:crypto at startup.
 */
export function sha256(value: string): string | Promise<string> {
  hash ??= findHash() ?? 'none'
  return hash === 'none' ? hashWithSubtle(value) : hash('sha256', value)
}

/** Finds `crypto.hash` without an import, so that runtimes without `node:crypto` can load this file. */
function findHash(): Hash | undefined {
  try {
    const { process }: { readonly process?: Process } = Object(globalThis)
    return process?.getBuiltinModule?.('node:crypto')?.hash
  } catch {
    // In the Next.js Edge Runtime, `getBuiltinModule` exists but throws.
    return undefined
  }
}

async function hashWithSubtle(value: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
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
