import type { Connections, Waiting, Writer } from '../connections.ts'
import { pause } from '../pause.ts'
import type { OnStatement } from './kysely-over.ts'
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts'
import { explainSqlite, isBusy, sqliteFailure } from './sqlite-failure.ts'
import { createWriteQueue } from './write-queue.ts'

/** How the file of a SQLite database is opened. */
export interface SqliteSettings {
  /** The file; it is made when there is none. */
  readonly file: string
  /** How long to wait for a lock that another process holds, in milliseconds. */
  readonly busyTimeoutMs: number
  /** Called with the text of every statement. */
  readonly onStatement?: OnStatement | undefined
}

/** For how long a process writes without a break, in which another one gets its turn, in milliseconds. */
const yieldAfterMs = 50
const yieldMs = 2

/**
 * The connections to a SQLite file: one to write through, by one caller after the other, and one to read, which in WAL
 * mode never waits for a writer.
 */
export function openSqlite({ file, busyTimeoutMs, onStatement }: SqliteSettings): Connections {
  const queue = createWriteQueue()
  const write = openWhenNeeded(() => openSqliteFile(file, onStatement))
  const read = openWhenNeeded(() => openSqliteFile(file, onStatement))
  let yieldedAt = 0

  /** Tries again for as long as the file is locked, without blocking the process as SQLite's own waiting would. */
  async function retryWhileBusy<Result>(attempt: () => Result, waiting: Waiting): Promise<Result> {
    const giveUpAt = performance.now() + busyTimeoutMs
    for (let wait = 1; ; wait = Math.min(wait * 2, 5)) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
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

  async function writer(waiting: Waiting): Promise<Writer> {
    const { waited, leave } = await queue.enter(waiting)
    try {
      await yieldToOthers(waited)
      const { db, send, begin, exec, rollback } = await retryWhileBusy(write.current, waiting)
      return {
        db,
        send,
        // Whoever writes has the file to itself.
        begin: (durability) => retryWhileBusy(() => begin(durability), waiting),
        // Its statements run while everybody waits.
        holdOn: () => {},
        commit: async () => exec('commit'),
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
      const { leave } = await queue.enter({ signal: new AbortController().signal })
      read.close()
      write.close()
      leave()
    },
  }
}

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
    close: () => {
      closed = true
      file?.checkpoint()
      discard()
    },
  }
}
