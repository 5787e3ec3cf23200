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

interface Entry {
  document: ClickDocument
  until: number
}

/**
 * Creates a ledger for one process. `update` throws StoreError `store_unavailable` if the ledger is full and no click
 * can be deleted.
 */
export function memoryLedger(options: MemoryLedgerOptions = {}): MemoryLedger {
  const { maxDocuments = 50_000, now = systemRuntime.now } = options
  const entries = new Map<string, Entry>()
  // Reuses one iterator, because a new iterator would have to skip all deleted entries at the front.
  let cursor = entries.entries()
  let hasWarned = false

  /** Returns the next entry, from oldest to newest. Returns `undefined` at the end of each pass. */
  function next(): [string, Entry] | undefined {
    const { value, done } = cursor.next()
    if (done === true) cursor = entries.entries()
    return value
  }

  function makeRoom(time: number): void {
    // Checks two entries for each new entry, so that expired entries cannot accumulate.
    for (let checked = 0; checked < 2; checked++) {
      const found = next()
      if (found !== undefined && found[1].until <= time) entries.delete(found[0])
    }
    for (let rounds = 0; entries.size >= maxDocuments && rounds < 2;) {
      const found = next()
      if (found === undefined) rounds += 1
      else if (found[1].until <= time) entries.delete(found[0])
      else if (!isOpen(found[1].document)) {
        entries.delete(found[0])
        warn()
      }
    }
    if (entries.size >= maxDocuments) throw new StoreError('store_unavailable')
  }

  function warn(): void {
    if (hasWarned) return
    hasWarned = true
    const notice = `memoryLedger: clicks of more than ${maxDocuments} customers are stored. The ledger deletes the oldest before they expire, so a late repeat can run twice. Raise maxDocuments, or use a shared ledger.`
    const { onNotice = noticeOnConsole } = options
    onNotice(notice)
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
