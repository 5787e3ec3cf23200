import type { Ledger } from './ledger.ts'

/** Waits for a promise for at most `timeoutMs`; rejects with an Error when it takes longer. */
export function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`There was no answer within ${timeoutMs} ms.`)), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Waits for what a ledger answers, as long as it and the integration want that to take. */
export function withinLedgerTime<Value>(ledger: Ledger, answer: Promise<Value>, timeoutMs: number): Promise<Value> {
  return within(answer, Math.min(timeoutMs, ledger.timeoutMs ?? timeoutMs))
}
