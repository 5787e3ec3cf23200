import { StoreError } from '../contract/errors.ts'
import type { Decide, Ledger, StoredClicks } from './ledger.ts'
import { isOpen } from './protocol.ts'
import { noticeOnConsole, systemRuntime } from './runtime.ts'

/** How a ledger in memory is set up; everything has a default. */
export interface MemoryLedgerOptions {
  /** Maximum documents: one for each customer and one for each named click of the last 24 hours; default 50,000. */
  readonly maxDocuments?: number | undefined
  /** The time in milliseconds; default `performance.now()`, a clock that is never set. */
  readonly now?: (() => number) | undefined
  /** Called with a sentence for the log when the ledger is full and forgets a click before its time; default one warning on the console. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** A ledger that answers synchronously. */
export interface MemoryLedger extends Ledger {
  update<Result>(key: string, decide: Decide<Result>): Result
}

interface Entry {
  document: StoredClicks
  until: number
}

/** A ledger for one process: nothing outlives the process, and memory is bounded. Full of open clicks, it throws StoreError `store_unavailable`. */
export function memoryLedger(options: MemoryLedgerOptions = {}): MemoryLedger {
  const { maxDocuments = 50_000, now = systemRuntime.now } = options
  const entries = new Map<string, Entry>()
  // It keeps its place: a new iterator would step over all deleted entries at the front.
  let hand = entries.entries()
  let hasWarned = false

  /** The next entry, from the oldest to the newest, again and again; `undefined` at the end of each round. */
  function next(): [string, Entry] | undefined {
    const { value, done } = hand.next()
    if (done === true) hand = entries.entries()
    return value
  }

  function makeRoom(time: number): void {
    // Each click adds one or two documents, so that expired ones do not pile up.
    for (let looked = 0; looked < 2; looked++) {
      const found = next()
      if (found !== undefined && found[1].until <= time) entries.delete(found[0])
    }
    for (let rounds = 0; entries.size >= maxDocuments && rounds < 2;) {
      const found = next()
      if (found === undefined) rounds += 1
      else if (found[1].until <= time) entries.delete(found[0])
      else if (!isOpen(found[1].document, time)) {
        entries.delete(found[0])
        warn()
      }
    }
    if (entries.size >= maxDocuments) throw new StoreError('store_unavailable')
  }

  function warn(): void {
    if (hasWarned) return
    hasWarned = true
    const notice = `memoryLedger: more than ${maxDocuments} clicks are stored. It deletes the oldest before they expire, so a late repeat can run twice. Raise maxDocuments, or use a shared ledger.`
    const { onNotice = noticeOnConsole } = options
    onNotice(notice)
  }

  return {
    isLocal: true,
    update: (key, decide) => {
      const time = now()
      const entry = entries.get(key)
      const stored = entry !== undefined && entry.until > time ? entry.document : undefined
      const { result, document, keepMs = 0 } = decide(stored, time, false)
      if (document === undefined) return result
      if (entry === undefined) {
        makeRoom(time)
        entries.set(key, { document, until: time + keepMs })
      } else {
        entry.document = document
        entry.until = time + keepMs
      }
      return result
    },
  }
}
