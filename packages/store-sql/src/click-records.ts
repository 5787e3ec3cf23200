import { type ClickRecord, type ClickRecords, describeError } from '@storeport/core'
import { emailKey } from '@storeport/rules'
import { type Selectable, sql } from 'kysely'
import type { Database } from './db/database.ts'
import type { Tables } from './db/tables.ts'
import { insertRows, parseJson } from './db/rows.ts'

/** Limits of the writer. Tests use shorter times. */
const defaultLimits = {
  /** Time from the first record of a batch to its write, in milliseconds. */
  writeAfterMs: 1000,
  /** Time from the first record of a batch after which the batch is dropped, in milliseconds. */
  dropAfterMs: 5000,
  /** Number of records after which a batch is written immediately. */
  batchSize: 500,
  /** Maximum number of records that are not written yet. Further records are dropped. */
  maxWaiting: 5000,
} as const

/** Age at which records are deleted, number of records in one deletion, and pause between deletions. */
const retention = { ms: 90 * 86_400_000, step: 500, everyMs: 600_000 } as const

/** Creates the methods for click records. They are written in batches, outside the transactions of the clicks. */
export function createClickRecords(
  database: Database,
  onNotice: (notice: string) => void,
  limits: { readonly [Name in keyof typeof defaultLimits]: number } = defaultLimits,
): ClickRecords & { flush(): Promise<void> } {
  const { dialect, transaction } = database
  let open: ReturnType<typeof startBatch> | undefined
  let writing = Promise.resolve()
  let waiting = 0
  let dropped = 0
  let isFailing = false
  let nextDeletion = 0

  /** Starts a batch of records, which are written together. `done` resolves when they are written or dropped. */
  function startBatch() {
    const records: ClickRecord[] = []
    const timer = setTimeout(() => void flush(), limits.writeAfterMs).unref()
    let end = () => {}
    const done = new Promise<void>((resolve) => (end = resolve))
    return { records, dropAt: performance.now() + limits.dropAfterMs, timer, done, end }
  }

  function drop(count: number, reason: string): void {
    dropped += count
    if (isFailing) return
    isFailing = true
    onNotice(`Records of clicks are not stored, and dropped: ${reason}. The clicks are not affected.`)
  }

  async function writeBatch({ records, dropAt, end }: ReturnType<typeof startBatch>): Promise<void> {
    try {
      // Does not delay the end of the process, because the timer of the signal does not keep the process running.
      const waitingFor = { signal: AbortSignal.timeout(Math.max(0, Math.ceil(dropAt - performance.now()))) }
      const insert = insertRows(dialect, 'click_records', records.map(toRow))
      await transaction((db) => insert.execute(db), { durable: false, waiting: waitingFor })
      if (isFailing) onNotice(`Records of clicks are stored again. Dropped: ${dropped}.`)
      isFailing = false
      dropped = 0
      await deleteOld().catch(() => {})
    } catch (error) {
      const { error: message, cause = message } = describeError(error)
      drop(records.length, cause)
    }
    waiting -= records.length
    end()
  }

  /** Deletes some of the old records, now and then. */
  async function deleteOld(): Promise<void> {
    if (performance.now() < nextDeletion) return
    const before = new Date(Date.now() - retention.ms).toISOString()
    const deletion = sql`delete from click_records where number in
      (select number from click_records where time < ${before} order by time limit ${sql.lit(retention.step)})`
    const { numAffectedRows = 0n } = await transaction((db) => deletion.execute(db), { durable: false })
    nextDeletion = numAffectedRows < retention.step ? performance.now() + retention.everyMs : 0
  }

  /** Writes the waiting records after the batch that is being written. */
  function flush(): Promise<void> {
    return (writing = writing.then(() => {
      const batch = open
      open = undefined
      clearTimeout(batch?.timer)
      return batch && writeBatch(batch)
    }))
  }

  return {
    flush,
    recordClick: async (record) => {
      if (waiting >= limits.maxWaiting) return drop(1, `${waiting} records are waiting`)
      waiting += 1
      open ??= startBatch()
      const { records, done } = open
      if (records.push(record) === limits.batchSize) void flush()
      return done
    },
    clickRecords: async ({ email, requestId, failed = false, since, limit = 1000 } = {}) => {
      await flush()
      const rows = await database.read((db) =>
        db
          .selectFrom('click_records')
          .selectAll()
          .$if(email !== undefined, (query) => query.where('email_key', '=', emailKey(email ?? '')))
          .$if(requestId !== undefined, (query) => query.where('request_id', '=', requestId ?? ''))
          .$if(failed, (query) => query.where('status', '>=', 400))
          .$if(since !== undefined, (query) => query.where('time', '>=', since?.toISOString() ?? ''))
          .orderBy('time', 'desc')
          .orderBy('number', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.toReversed().map(toRecord)
    },
    eraseClickRecords: async (email) => {
      await flush()
      const deletion = sql`delete from click_records where email_key = ${emailKey(email)}`
      return Number((await transaction((db) => deletion.execute(db))).numAffectedRows)
    },
  }
}

function toRow({ time, operation, email, input, status, code, ...others }: ClickRecord) {
  const { repeat, durationMs, requestId, keyName } = others
  return {
    ...{ time, operation, email, email_key: emailKey(email), input, status, code: code ?? null, repeated: repeat },
    ...{ duration_ms: durationMs, request_id: requestId, key_name: keyName },
  }
}

function toRecord(row: Selectable<Tables['click_records']>): ClickRecord {
  const { time, operation, email, status, code } = row
  return {
    ...{ time, operation, email, input: parseJson(row.input), status, ...(code !== null && { code }) },
    ...{ repeat: Boolean(row.repeated), durationMs: row.duration_ms, requestId: row.request_id, keyName: row.key_name },
  }
}
