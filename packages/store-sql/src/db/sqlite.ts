import { type Stats, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreError } from '@storeport/core'
import type { Connections, Waiting, Writer } from './connections.ts'
import { createQueue } from './turns.ts'
import type { OnStatement } from './kysely-over.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { explainSqlite, isBusy, sqliteFailure } from './sqlite-failure.ts'

/** How the file of a SQLite database is opened. */
export interface SqliteSettings {
  /** The file; it is made when there is none. */
  readonly file: string
  /** How long to wait for a lock that another process holds, in milliseconds. */
  readonly busyTimeoutMs: number
  /** Called with the text of every statement. */
  readonly onStatement?: OnStatement | undefined
  /** Called with a sentence for the log when the file is no longer the one that was opened. */
  readonly onNotice?: ((notice: string) => void) | undefined
}

/** For how long a process writes without a break, in which another one gets its turn, in milliseconds. */
const yieldAfterMs = 50
const yieldMs = 2

/**
 * The connections to a SQLite file: one to write through, by one caller after the other, and one to read, which in WAL
 * mode never waits for a writer.
 */
export function openSqlite({ file, busyTimeoutMs, onStatement, onNotice }: SqliteSettings): Connections {
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

  /** Tries again for as long as the file is locked, without blocking the process as SQLite's own waiting would. */
  async function retryWhileBusy<Result>(
    attempt: () => Result,
    waiting: Waiting,
    giveUpAt = performance.now() + busyTimeoutMs,
  ): Promise<Result> {
    for (let wait = 1; ; wait = Math.min(wait * 2, 5)) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > giveUpAt) throw new StoreError('store_unavailable', undefined, { cause: error })
      }
      await pause(wait * (0.5 + Math.random()))
      waiting.signal.throwIfAborted()
    }
  }

  /** Another process polls for the lock: between two transactions in a row it would hardly ever find it free. */
  async function yieldToOthers(waited: boolean): Promise<void> {
    if (waited && performance.now() - yieldedAt < yieldAfterMs) return
    if (waited) await pause(yieldMs)
    yieldedAt = performance.now()
  }

  /** Acknowledges nothing that was written into a file that is not there any more. */
  function requireSameFile(): void {
    try {
      watched.requireSame()
    } catch (error) {
      write.abandon()
      read.abandon()
      onNotice?.(`The SQLite file ${file} was cut, replaced or removed while it was in use: stop whatever does that.`)
      throw error
    }
  }

  async function writer(waiting: Waiting): Promise<Writer> {
    // The wait in the queue and the one for the lock are one: whoever comes behind many others gives up as soon as they do.
    const giveUpAt = performance.now() + busyTimeoutMs
    const { waited, leave } = await queue.enter(waiting, busyTimeoutMs)
    try {
      await yieldToOthers(waited)
      const { db, send, begin, exec, rollback } = await retryWhileBusy(write.current, waiting, giveUpAt)
      return {
        db,
        send,
        // Whoever writes has the file to itself.
        begin: (durability) => retryWhileBusy(() => begin(durability), waiting, giveUpAt),
        // Its statements run while everybody waits.
        holdOn: () => {},
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
      const { db, send } = await retryWhileBusy(read.current, waiting)
      return {
        db,
        send,
        release: (broken) => {
          if (broken) read.discard()
        },
      }
    },
    failureOf: sqliteFailure,
    explain: (error) => explainSqlite(error, file),
    close: async () => {
      const { leave } = await queue.enter({ signal: new AbortController().signal }, 2 ** 31 - 1)
      read.close()
      write.close()
      leave()
    },
  }
}

/** Connections to files that are gone, which must not even be closed as garbage. */
const abandoned: SqliteFile[] = []

/** Opens when it is first needed, and again after it was discarded. */
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
    /** Leaves the file alone: closing it would clear away the log of the one that has taken its place. */
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

/** Looks whether the file of a path is still the one that was opened. */
interface WatchedFile {
  /** Throws StoreError `store_unavailable` if the file is missing, empty or replaced by another file. */
  requireUsable(): void
  /** Remembers the file that is there now. */
  remember(): void
  /** Throws StoreError `store_unavailable`, the outcome unknown, when it is another file or a shorter one: what was written may be lost. */
  requireSame(): void
}

/** Watches the file of a database, which another program may cut, replace or remove at any time. */
function watchFile(file: string): WatchedFile {
  let opened = { dev: 0, ino: 0, size: 0 }
  const look = () => statSync(file, { throwIfNoEntry: false })
  const isOpened = (found: Stats | undefined): found is Stats => found?.dev === opened.dev && found.ino === opened.ino
  return {
    requireUsable: () => {
      if (opened.ino === 0) return
      const found = look()
      // A new file would hold nothing.
      if ((found?.size ?? 0) === 0)
        throw new StoreError('store_unavailable', 'The file of the database is gone: put it back.')
      // The -wal file belongs to the first file: SQLite would apply its changes to this one.
      if (!isOpened(found))
        throw new StoreError(
          'store_unavailable',
          'The database file was replaced. Stop the store, remove the -wal and -shm files next to it, and start the store again.',
        )
    },
    remember: () => {
      const { dev, ino, size } = look() ?? opened
      opened = { dev, ino, size }
    },
    requireSame: () => {
      const found = look()
      if (!isOpened(found) || found.size < opened.size) {
        const message =
          'The file of the database was cut, replaced or removed: whether the change is in it is not known.'
        throw new StoreError('store_unavailable', message, { outcome: 'unknown' })
      }
      opened.size = found.size
    },
  }
}
