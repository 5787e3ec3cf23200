import { StoreError } from '../contract/errors.ts'
import type { ClickDocument, Decide, Ledger } from '../contract/ledger.ts'
import { isOpen } from './protocol.ts'
import { noticeOnConsole, systemRuntime } from './runtime.ts'

/** Options of `memoryLedger`. */
export interface MemoryLedgerOptions {
  /** Maximum number of customers; default 50,000. */
  readonly maxDocuments?: number | undefined
  /** Returns the time in milliseconds; default: `performance.now()`, a monotonic clock. */
  readonly now?: (() => number) | undefined
  /**
   * Called once with a line for the log if the ledger is full and deletes a click that has not expired. Default: a
   * warning on the console.
   */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** A synchronous ledger. */
export interface MemoryLedger extends Ledger {
  update<Result>(key: string, decide: Decide<Result>): Result
}

/**
 * Creates a ledger for one process. `update` throws StoreError `store_unavailable` if the ledger is full and no click
 * can be deleted.
 */
export function memoryLedger(options: MemoryLedgerOptions = {}): MemoryLedger {
  const { maxDocuments = 50_000, now = systemRuntime.now, onNotice = noticeOnConsole } = options
  const entries = new Map<string, { document: ClickDocument; until: number }>()
  // Reuses one iterator, because a new iterator would have to skip all deleted entries at the front.
  let cursor = entries.entries()
  let hasWarned = false

  /** Checks two entries for each new entry, so that expired entries cannot accumulate; more entries in a full ledger. */
  function makeRoom(time: number): void {
    const isFull = () => entries.size >= maxDocuments
    for (let checked = 0, passes = 0; checked < 2 || (isFull() && passes < 2); checked++) {
      const { value, done } = cursor.next()
      if (done === true) {
        cursor = entries.entries()
        passes += 1
      } else if (value[1].until <= time) entries.delete(value[0])
      else if (isFull() && !isOpen(value[1].document)) {
        entries.delete(value[0])
        if (!hasWarned) onNotice(noticeOf(maxDocuments))
        hasWarned = true
      }
    }
    if (isFull()) throw new StoreError('store_unavailable')
  }

  return {
    isLocal: true,
    update: (key, decide) => {
      const time = now()
      const entry = entries.get(key)
      const stored = entry !== undefined && entry.until > time ? entry.document : undefined
      const { result, document, until = 0 } = decide(stored, time)
      if (document === undefined) return result
      if (entry === undefined) {
        makeRoom(time)
        entries.set(key, { document, until })
      } else {
        entry.document = document
        entry.until = until
      }
      return result
    },
  }
}

const noticeOf = (maxDocuments: number) =>
  `memoryLedger: clicks of more than ${maxDocuments} customers are stored. The ledger deletes the oldest before they expire, so a late repeat can run twice. Raise maxDocuments, or use a shared ledger.`
