import { checkedNumber } from '../contract/names.ts'
import { dayMs } from '../retries/protocol.ts'
import { noticeOnConsole, type Runtime, systemRuntime } from '../retries/runtime.ts'
import {
  type History,
  type HistoryEntry,
  type HistoryRecord,
  type HistoryRow,
  type HistoryStorage,
  idDigits,
} from './history.ts'
import { createHistoryKey, type HistoryKey } from './history-key.ts'

/** Options of `createHistory`. */
export interface HistoryOptions {
  /**
   * Secrets of at least 32 characters. The first secret seals new records, and all secrets open stored records.
   * Required, except for `memoryHistory`.
   */
  readonly keys?: readonly string[] | undefined
  /** Days after which records are deleted; default 90. */
  readonly retentionDays?: number | undefined
  /** Maximum number of records that wait to be stored; default 10,000. Further records are lost and counted. */
  readonly maxWaiting?: number | undefined
  /** Called after each failed write; default: logs one line on the console. The records are stored later. */
  readonly onError?: ((error: unknown, counts: ReturnType<History['counts']>) => void) | undefined
  /** Clock and timers, for tests. */
  readonly runtime?: Runtime | undefined
}

/** Version of the facts in a row. */
const version = 1
/** Delay between a record and its write, in milliseconds. */
const writeAfterMs = 500
/**
 * Maximum number of records in one write. A full batch is written immediately. In a batch, sealing takes 10 µs per record.
 * Between two clicks, it takes 90 µs, because the clicks replace the code of node:crypto in the processor's cache.
 */
const batchSize = 500
/** Delays after failed writes, in milliseconds. The last delay is repeated. */
const retryAfterMs = [1000, 5000, 30_000]
/** Interval and step of the deletion of old records. The pause between steps lets other statements run. */
const sweeping = { everyMs: 600_000, step: 500, pauseMs: 50 } as const

/** Creates a history of clicks. Throws TypeError for an invalid option, and in a runtime without node:crypto. */
export function createHistory(storage: HistoryStorage, options: HistoryOptions = {}): History {
  const { keys: secrets = [], retentionDays = 90, maxWaiting = 10_000, runtime = systemRuntime } = options
  const { onError = () => noticeOnConsole('The history cannot be stored at the moment.') } = options
  checkedNumber('retentionDays', retentionDays, 36_500)
  checkedNumber('maxWaiting', maxWaiting, 1_000_000)
  const isTemporary = secrets.length === 0 && storage.isLocal === true
  const keys = (isTemporary ? [runtime.id()] : secrets).map(createHistoryKey)
  const [key] = keys
  if (key === undefined) throw new TypeError('keys: required. Pass at least one secret of 32 characters.')
  const seal = createSealer(key)
  const byId = new Map(keys.map((each) => [each.id, each]))
  const digestsOf = (email: string) => keys.map((each) => each.digest(emailKey(email)))

  let waiting: Waiting[] = []
  let dropped = 0
  let failures = 0
  let writing: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined
  let sweptAt: number | undefined
  const counts = () => ({ waiting: waiting.length, dropped })

  function writeAfter(ms: number): void {
    cancelTimer?.()
    cancelTimer = runtime.after(ms, () => void write(), true)
  }

  /** Writes all waiting records in batches. Stops after a failed batch, and writes it again later. */
  function write(): Promise<void> {
    cancelTimer?.()
    cancelTimer = undefined
    return (writing ??= writeBatches().finally(() => {
      writing = undefined
      if (waiting.length > 0) writeAfter(retryAfterMs[Math.min(failures, retryAfterMs.length) - 1] ?? writeAfterMs)
    }))
  }

  async function writeBatches(): Promise<void> {
    const isEmpty = waiting.length === 0
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      try {
        // A repeated write has the same ids, so that the storage can ignore rows that are already stored.
        await storage.append(batch.map((each) => (each.row ??= seal(each.entry))))
      } catch (error) {
        failures += 1
        report(error)
        return
      }
      // `erase` may have removed records of the batch in the meantime.
      const stored = new Set(batch)
      waiting = waiting.filter((each) => !stored.has(each))
    }
    failures = 0
    if (isEmpty) return
    if (sweptAt === undefined || runtime.now() >= sweptAt + sweeping.everyMs) void sweep()
  }

  function report(error: unknown): void {
    try {
      onError(error, counts())
    } catch {
      return
    }
  }

  async function sweep(): Promise<void> {
    sweptAt = runtime.now()
    try {
      const before = timeId(runtime.date() - retentionDays * dayMs)
      while ((await storage.deleteBefore(before, sweeping.step)) >= sweeping.step)
        await new Promise<void>((resume) => runtime.after(sweeping.pauseMs, resume, true))
    } catch (error) {
      report(error)
    }
  }

  return {
    record: (entry) => {
      if (waiting.length >= maxWaiting) dropped += 1
      else waiting.push({ entry, row: undefined })
      if (writing !== undefined || failures > 0) return
      if (waiting.length === batchSize) void write()
      else if (cancelTimer === undefined) writeAfter(writeAfterMs)
    },
    flush: async () => {
      await writing
      if (waiting.length > 0) await write()
    },
    read: async ({ email, requestId, failed, since, limit = 1000 } = {}) => {
      await write()
      const rows = await storage.select({
        customers: email === undefined ? undefined : digestsOf(email),
        requestId,
        failed,
        from: since === undefined ? undefined : timeId(since),
        limit: checkedNumber('limit', limit, 100_000),
      })
      const records = rows.map((row) => openRow(row, byId.get(row.keyId))).filter((record) => record !== undefined)
      return { records: records.toReversed(), unreadable: rows.length - records.length }
    },
    erase: async (email) => {
      await writing
      waiting = waiting.filter(({ entry }) => emailKey(entry.email) !== emailKey(email))
      return storage.erase(digestsOf(email))
    },
    countForeign: async () => {
      const foreign = [...(await storage.countByKey())].filter(([id]) => !byId.has(id))
      return foreign.reduce((sum, [, count]) => sum + count, 0)
    },
    sweep,
    counts,
  }
}

function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** Bits of an id below its time: a counter that starts at a random number, so that ids of two processes differ. */
const counterBits = 21

/** Returns the id of a record. Without a counter, returns the first possible id of the time. */
function timeId(at: number, counter = 0): string {
  const id = (BigInt(Math.max(0, Math.floor(at))) << BigInt(counterBits)) + BigInt(counter)
  return id.toString().padStart(idDigits, '0')
}

function timeOf(id: string): number {
  return Number(BigInt(id) >> BigInt(counterBits))
}

/** A record that waits to be stored. `row` is created by the first write. */
interface Waiting {
  readonly entry: HistoryEntry
  row: HistoryRow | undefined
}

/** Creates a function that converts entries to rows. A row contains no email, no API key and no field in plain text. */
function createSealer(key: HistoryKey): (entry: HistoryEntry) => HistoryRow {
  const keyNames = new Map<string, string>()
  let counter = Math.floor(Math.random() * 2 ** (counterBits - 1))

  function nameKey(apiKey: string): string {
    const known = keyNames.get(apiKey)
    if (known !== undefined) return known
    const name = key.digest(`api-key:${apiKey}`).slice(0, 8)
    if (keyNames.size < 100) keyNames.set(apiKey, name)
    return name
  }

  /** Serializes the facts that are stored in plain text. Lists them, because rest and spread take twice as long. */
  function factsOf(entry: HistoryEntry): string {
    const { requestId, status, operation, scope, code, unknown, paused, replayOf, replayed, late, reconciled } = entry
    const { clickKey, ms, apiKey } = entry
    const facts: Omit<HistoryRecord, 'at' | 'email' | 'input' | 'namedKey'> & { readonly v: number } = {
      v: version,
      requestId,
      status,
      operation,
      scope,
      code,
      unknown,
      paused,
      replayOf,
      replayed,
      late,
      reconciled,
      clickKey,
      ms,
      keyName: nameKey(apiKey),
    }
    return JSON.stringify(facts)
  }

  return (entry) => {
    const { at, requestId, email, input, namedKey, status } = entry
    // The counter preserves the sequence of records of the same millisecond.
    counter = (counter + 1) % 2 ** counterBits
    return {
      id: timeId(at, counter),
      customer: key.digest(emailKey(email)),
      failure: status < 400 ? null : requestId,
      facts: factsOf(entry),
      keyId: key.id,
      sealed: key.seal(JSON.stringify({ email, input, namedKey })),
    }
  }
}

/** Decrypts a row; returns `undefined` for an unknown key, another version or a damaged row. */
function openRow({ id, facts, sealed }: HistoryRow, key: HistoryKey | undefined) {
  if (key === undefined) return undefined
  try {
    const { v, ...open }: { readonly v: number } & HistoryRecord = JSON.parse(facts)
    if (v !== version) return undefined
    const secret: Pick<HistoryRecord, 'email' | 'input' | 'namedKey'> = JSON.parse(key.open(sealed))
    return { ...open, ...secret, at: timeOf(id) }
  } catch {
    return undefined
  }
}
