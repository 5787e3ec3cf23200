import type { Click, KeptClick } from '@storeport/core'
import type { DialectName, Send } from '../db/connections.ts'
import { writeClickStatements } from './click-statements.ts'

/** The table of clicks of one database; every function runs one statement. */
export type ClickTable = ReturnType<typeof createClickTable>

/** What is known of a click, and which try it is of. */
export interface ClickRow extends KeptClick {
  /** The key of its first try. */
  readonly idempotencyKey: string
  /** Names the try that runs, or ran last. */
  readonly tryKey: string
  /** When it was read, by the same clock. */
  readonly now: number
}

/** A state in which a click begins. */
export interface Beginning {
  readonly state: KeptClick['state']
  /** For how long the state counts, in milliseconds. */
  readonly lastsMs: number
  /** For how long the click is kept, in milliseconds. */
  readonly keptMs: number
}

/** Opens the table of clicks; `now` replaces the clock of the database in tests. */
export function createClickTable(dialect: DialectName, now?: () => number) {
  const statements = writeClickStatements(dialect)
  // All processes that share a SQLite file are on one machine, whose clock they ask.
  const time = now ?? (dialect === 'sqlite' ? Date.now : () => null)

  async function change(send: Send, statement: string, parameters: readonly unknown[]): Promise<number> {
    return (await send(statement, parameters)).changes
  }

  const insertParameters = (click: Click, { state, lastsMs, keptMs }: Beginning): readonly unknown[] => {
    const { id, customer, fingerprint, named, idempotencyKey } = click
    const whose = customer === '' ? null : customer
    return [id, whose, fingerprint, named, idempotencyKey, state, Math.ceil(lastsMs), Math.ceil(keptMs), time()]
  }

  return {
    statements,
    insertParameters,

    /** Keeps a click unless there is one of its id; returns whether it did. */
    insert: async (send: Send, click: Click, beginning: Beginning): Promise<boolean> =>
      (await change(send, statements.insert, insertParameters(click, beginning))) > 0,

    /** Keeps a click in place of the one that was judged; returns whether that was still there. */
    replace: async (send: Send, click: Click, beginning: Beginning, judged: ClickRow): Promise<boolean> => {
      const { tryKey, state, since } = judged
      return (await change(send, statements.replace, [...insertParameters(click, beginning), tryKey, state, since])) > 0
    },

    /** Keeps a success that ended some milliseconds ago. */
    succeed: (send: Send, click: Click, beginning: Beginning, msAgo: number) =>
      change(send, statements.succeed, [...insertParameters(click, beginning), Math.max(0, Math.round(msAgo))]),

    /** Reads a click and locks its row until the end of the transaction. */
    read: async (send: Send, id: string): Promise<ClickRow | undefined> => {
      const { rows } = await send<SelectedRow>(statements.read, [id, time()])
      return rows[0] && toClickRow(rows[0])
    },

    /** Runs a click of unknown outcome again. */
    reopen: (send: Send, { id, idempotencyKey, leaseMs }: Click) =>
      change(send, statements.reopen, [id, idempotencyKey, Math.ceil(leaseMs), time()]),

    /** Leaves open how a try ended. */
    leaveOpen: (send: Send, { id, idempotencyKey, unknownMs }: Click) =>
      change(send, statements.leaveOpen, [id, idempotencyKey, Math.ceil(unknownMs)]),

    /** Forgets a try that was refused. */
    forget: (send: Send, { id, idempotencyKey }: Click) => change(send, statements.forget, [id, idempotencyKey]),

    /** Remembers a success longer. */
    extend: (send: Send, { id, idempotencyKey }: Click, lastsMs: number) =>
      change(send, statements.extend, [id, idempotencyKey, Math.ceil(lastsMs)]),

    /** Whether there is a success of an id. */
    isDone: async (send: Send, id: string): Promise<boolean> =>
      (await send(statements.find, [id, time()])).rows.length > 0,

    /** Removes some clicks that expired some milliseconds ago; returns how many. */
    sweep: (send: Send, expiredMsAgo: number, most: number) =>
      change(send, statements.sweep, [expiredMsAgo, most, time()]),
  }
}

/** A row as the databases give it: SQLite has no booleans. */
interface SelectedRow {
  readonly fingerprint: string
  readonly state: KeptClick['state']
  readonly idempotency_key: string
  readonly try_key: string
  readonly first_try_at: number
  readonly since: number
  readonly until: number
  readonly now: number
  readonly has_later_success: boolean | number
  readonly has_later_try: boolean | number
}

function toClickRow(row: SelectedRow): ClickRow {
  const { fingerprint, state, since, until, now } = row
  return {
    ...{ fingerprint, state, since, until, now },
    idempotencyKey: row.idempotency_key,
    tryKey: row.try_key,
    firstTryAt: row.first_try_at,
    hasLaterSuccess: Boolean(row.has_later_success),
    hasLaterTry: Boolean(row.has_later_try),
  }
}
