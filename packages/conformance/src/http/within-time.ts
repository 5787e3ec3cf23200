/** What a call that takes too long ends with. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * Runs something that may never end: rejects with TimeUp after the given milliseconds, or with the reason of a signal that fires before.
 *
 * What runs receives a signal of its own; nobody waits for it, even when it does not listen.
 */
export function withinTime<Value>(
  milliseconds: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  return new Promise<Value>((resolve, reject) => {
    const stop = (reason: unknown) => {
      reject(reason)
      controller.abort(reason)
    }
    const stopWithOuter = () => stop(outer.reason)
    const timer = setTimeout(() => stop(new TimeUp(`within ${milliseconds} ms`)), milliseconds)
    outer.addEventListener('abort', stopWithOuter)
    if (outer.aborted) stopWithOuter()
    run(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        outer.removeEventListener('abort', stopWithOuter)
      })
  })
}
