import { type Stats, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '@storeport/core'
import type { ConnectionOptions, Connections, Failure, Waiting, Writer } from './connections.ts'
import { createQueue } from './turns.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { explainSqlite, isBusy, isDamage, sqliteFailure } from './sqlite-failure.ts'

const restoreAdvice =
  'Stop the store, remove the -wal and -shm files next to it, restore the file from a backup, and start the store again.'

/** Maximum time of consecutive writes before a pause for other processes, and length of the pause, in milliseconds. */
const yieldAfterMs = 50
const yieldMs = 2

/**
 * Opens two connections to a SQLite file: one for reads, and one for transactions, which run one after another. In WAL
 * mode, reads never wait for writes.
 */
export function openSqlite(
  file: string,
  { statementTimeoutMs = 5000, onStatement, onNotice }: ConnectionOptions,
): Connections {
  /** Maximum wait for a lock that another process holds, in milliseconds. */
  const busyTimeoutMs = statementTimeoutMs || 5000
  const queue = createQueue()
  const watched = watchFile(file)
  const open = () => {
    watched.requireUsable()
    const opened = openSqliteFile(file, onStatement)
    watched.remember()
    return opened
  }
  const write = openWhenNeeded(open)
  const read = openWhenNeeded(open)
  let yieldedAt = 0
  let isDamaged = false

  /**
   * Classifies an error. Stops the use of a damaged file, because a change could succeed in the cache and then be lost.
   */
  function failureOf(error: unknown): Failure | undefined {
    if (isDamage(error) && !isDamaged) {
      isDamaged = true
      onNotice?.(`The SQLite file ${file} is damaged. ${restoreAdvice}`)
    }
    return sqliteFailure(error)
  }

  function requireUndamaged(): void {
    if (isDamaged) throw new StoreError('store_unavailable', `The database file is damaged. ${restoreAdvice}`)
  }

  /** Retries while the file is locked. Unlike SQLite's busy timeout, the wait does not block the process. */
  function retryWhileBusy<Result>(
    attempt: () => Result,
    waiting: Waiting,
    giveUpAt = performance.now() + busyTimeoutMs,
    wait = 1,
  ): Result | Promise<Result> {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > giveUpAt) throw new StoreError('store_unavailable', undefined, { cause: error })
    }
    return pause(wait * (0.5 + Math.random())).then(() => {
      waiting.signal.throwIfAborted()
      return retryWhileBusy(attempt, waiting, giveUpAt, Math.min(wait * 2, 5))
    })
  }

  /** Throws if the file was truncated, replaced or removed. Otherwise, a lost change would be acknowledged. */
  function requireSameFile(): void {
    try {
      watched.requireSame()
    } catch (error) {
      write.abandon()
      read.abandon()
      onNotice?.(
        `The SQLite file ${file} was truncated, replaced or removed while in use. Stop the program that did this.`,
      )
      throw error
    }
  }

  async function writer(waiting: Waiting): Promise<Writer> {
    requireUndamaged()
    // Sets the deadline before the wait in the queue, so that queued changes time out together.
    const giveUpAt = performance.now() + busyTimeoutMs
    const turn = queue.enter(waiting, busyTimeoutMs)
    const { waited, leave } = turn instanceof Promise ? await turn : turn
    try {
      // Pauses between queued writes, because other processes poll for the lock and would otherwise rarely succeed.
      const isLong = waited && performance.now() - yieldedAt >= yieldAfterMs
      if (isLong) await pause(yieldMs)
      if (isLong || !waited) yieldedAt = performance.now()
      const { db, send, begin, exec, rollback } = await retryWhileBusy(write.current, waiting, giveUpAt)
      return {
        db,
        send,
        // Ignores the parameter `customer`, because SQLite locks the whole file.
        begin: async (durability) => retryWhileBusy(() => begin(durability), waiting, giveUpAt),
        // Does nothing, because statements run synchronously and an abort never interrupts a statement.
        disarmAbort: () => {},
        commit: async () => {
          exec('commit')
          requireSameFile()
        },
        rollback: async () => rollback(),
        release: (broken) => {
          if (broken) write.discard()
          leave()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  return {
    dialect: 'sqlite',
    writer,
    reader: async (waiting) => {
      requireUndamaged()
      const { db, send } = await retryWhileBusy(read.current, waiting)
      return {
        db,
        send,
        release: (broken) => {
          if (broken) read.discard()
        },
      }
    },
    failureOf,
    explain: (error) => explainSqlite(error, file),
    close: async () => {
      const { leave } = await queue.enter({ signal: new AbortController().signal }, 2 ** 31 - 1)
      read.close()
      write.close()
      leave()
    },
  }
}

/** Connections to lost files. The references prevent garbage collection, which would close the connections. */
const abandoned: SqliteFile[] = []

/** Creates a connection that is opened on first use, and opened again after `discard` or `abandon`. */
function openWhenNeeded(open: () => SqliteFile) {
  let file: SqliteFile | undefined
  let closed = false
  const discard = () => {
    file?.close()
    file = undefined
  }
  return {
    current: () => {
      if (closed) throw new Error('The store is closed.')
      return (file ??= open())
    },
    discard,
    /** Drops the connection without closing the file, because closing would remove the log of the new file. */
    abandon: () => {
      if (file !== undefined) abandoned.push(file)
      file = undefined
    },
    close: () => {
      closed = true
      file?.checkpoint()
      discard()
    },
  }
}

/** Creates the checks for a database file, which another program may truncate, replace or remove at any time. */
function watchFile(file: string) {
  let opened = { dev: 0, ino: 0, size: 0 }
  const readStats = () => statSync(file, { throwIfNoEntry: false })
  const isOpened = (found: Stats | undefined): found is Stats => found?.dev === opened.dev && found.ino === opened.ino
  return {
    /** Throws StoreError `store_unavailable` if the opened file is missing, empty or replaced. */
    requireUsable: () => {
      if (opened.ino === 0) return
      const found = readStats()
      // Prevents SQLite from creating an empty database.
      if ((found?.size ?? 0) === 0)
        throw new StoreError(
          'store_unavailable',
          'The database file is missing or empty. Restore the file from a backup.',
        )
      // Prevents SQLite from applying the -wal file of the replaced file to the new file.
      if (!isOpened(found))
        throw new StoreError(
          'store_unavailable',
          'The database file was replaced. Stop the store, remove the -wal and -shm files next to it, and start the store again.',
        )
    },
    /** Records the current file as the opened file. */
    remember: () => {
      const { dev, ino, size } = readStats() ?? opened
      opened = { dev, ino, size }
    },
    /** Throws StoreError `store_unavailable` with an unknown outcome if the file was truncated, replaced or removed. */
    requireSame: () => {
      const found = readStats()
      if (!isOpened(found) || found.size < opened.size) {
        const message =
          'The database file was truncated, replaced or removed. It is unknown whether the change was saved.'
        throw new StoreError('store_unavailable', message, { outcome: 'unknown' })
      }
      opened.size = found.size
    },
  }
}
