/** Waits for a promise for at most some milliseconds; rejects with what `late` makes when it takes longer. */
export function inTime<Value>(promise: Promise<Value>, ms: number, late: () => Error): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
