import type { DialectName } from '../db/connections.ts'

/**
 * The statements about clicks. Those that keep a click have the parameters of `clickParameters`; all others have the id
 * first, and the clock last where there is one.
 */
export type ClickStatements = ReturnType<typeof writeClickStatements>

/** Writes the statements about clicks in the language of a database. The clock is a server's own, unless the caller gives the time. */
export function writeClickStatements(dialect: DialectName) {
  const { text, whole, flag, greatest, clock, forUpdate, skipLocked, oneRow } = syntaxes[dialect]
  /** The clock as one of the tables that a statement reads, after others; for SQLite it is just a parameter. */
  const from = (place: number) => (clock.table(place) === '' ? '' : `from ${clock.table(place)}`)
  const also = (place: number) => (clock.table(place) === '' ? '' : `, ${clock.table(place)}`)

  /** A time, but later than every other click of the customer, also when the clock was set back. */
  const ordinal = (time: string, customer: string, others = '') =>
    `${greatest}(${time}, 1 + coalesce((select max(ordinal) from clicks as others
      where others.customer = ${customer} ${others}), 0))`

  /** Inserts a click whose state began at a moment; parameters begin after those of a larger statement. */
  const insert = (moment: string, order: string, after = 0) =>
    `insert into clicks (id, customer, fingerprint, named, state, idempotency_key, try_key,
        ordinal, first_try_at, since, until, expires_at)
      ${oneRow(
        `${text(after + 1)}, ${text(after + 2)}, ${text(after + 3)}, ${flag(after + 4)},
        ${text(after + 6)}, ${text(after + 5)}, ${text(after + 5)},
        ${order}, ${moment}, ${moment}, ${moment} + ${whole(after + 7)}, ${moment} + ${whole(after + 8)}`,
        from(after + 9),
      )} on conflict (id)`
  const insertNow = (after = 0) => {
    const now = clock.now(after + 9)
    return insert(now, ordinal(now, text(after + 2)), after)
  }

  const replaced = ['customer', 'fingerprint', 'named', 'idempotency_key', 'try_key', 'first_try_at']
  const settled = ['state', 'ordinal', 'since', 'until', 'expires_at']
  const set = (columns: readonly string[]) => columns.map((name) => `${name} = excluded.${name}`).join(', ')

  const endedAt = `${clock.now(9)} - ${whole(10)}`
  const later = '(later.ordinal, later.id) > (clicks.ordinal, clicks.id)'
  return {
    /** Keeps a click, unless there is one of its id. */
    insert: `${insertNow()} do nothing`,
    /** The same as a part of a larger statement. */
    insertAfter: (parameters: number) => `${insertNow(parameters)} do nothing`,
    /** Keeps a click in place of the one that was judged, whose try, state and moment are parameters 10 to 12. */
    replace: `${insertNow()} do update set ${set([...replaced, ...settled])}
      where clicks.try_key = ${text(10)} and clicks.state = ${text(11)} and clicks.since = ${whole(12)}`,
    /** Keeps a success that ended parameter 10 milliseconds ago, before the clicks that began since. */
    succeed: `${insert(
      endedAt,
      ordinal(
        endedAt,
        text(2),
        `and others.id <> ${text(1)} and not (others.since > ${endedAt} and others.since <= ${clock.now(9)})`,
      ),
    )} do update set ${set(settled)}
      where clicks.fingerprint = excluded.fingerprint and (clicks.state <> 'done' or clicks.since <= excluded.since)`,
    /** Reads a click with what a judgement needs, and locks its row. */
    read: `select fingerprint, state, idempotency_key, try_key, first_try_at, since, until, ${clock.now(2)} as now,
        exists (select 1 from clicks as later where later.customer = clicks.customer
          and later.state = 'done' and ${later}) as has_later_success,
        exists (select 1 from clicks as later where later.customer = clicks.customer
          and later.state <> 'done' and later.expires_at > ${clock.now(2)} and ${later}) as has_later_try
      from clicks ${also(2)} where clicks.id = ${text(1)} ${forUpdate}`,
    /** Runs a click again, under a try that may take some time. Parameters: id, try, time. */
    reopen: `update clicks set state = 'running', try_key = ${text(2)}, since = ${clock.now(4)}, until = ${clock.now(4)} + ${whole(3)},
        ordinal = ${ordinal(clock.now(4), 'clicks.customer')},
        expires_at = ${greatest}(expires_at, ${clock.now(4)} + ${whole(3)})
      ${from(4)} where id = ${text(1)}`,
    /** The outcome of a try is unknown, for some time since the first one. Parameters: id, try, time. */
    leaveOpen: `update clicks set state = 'unknown', until = first_try_at + ${whole(3)},
        expires_at = ${greatest}(expires_at, first_try_at + ${whole(3)})
      where id = ${text(1)} and try_key = ${text(2)} and state <> 'done'`,
    /** Forgets a try that was refused. Parameters: id, try. */
    forget: `delete from clicks where id = ${text(1)} and try_key = ${text(2)} and state <> 'done'`,
    /** A success is remembered longer. Parameters: id, try, time. */
    extend: `update clicks set until = ${greatest}(until, since + ${whole(3)}),
        expires_at = ${greatest}(expires_at, since + ${whole(3)})
      where id = ${text(1)} and try_key = ${text(2)} and state = 'done'`,
    /** Finds a success that counts. */
    find: `select id from clicks ${also(2)} where id = ${text(1)} and state = 'done' and until > ${clock.now(2)}`,
    /** Removes some that have expired long ago. Parameters: how long ago, how many, clock. */
    sweep: `delete from clicks where id in (
        select id from clicks where expires_at <= ${clock.once(3)} - ${whole(1)}
        order by expires_at limit ${whole(2)} ${skipLocked})
      and expires_at <= ${clock.once(3)} - ${whole(1)}`,
  }
}

/** What the databases write differently. */
interface Syntax {
  /** Parameters by what they hold: in some places a server cannot know. */
  text(place: number): string
  whole(place: number): string
  flag(place: number): string
  readonly greatest: string
  /** The time in milliseconds since 1970: by the table that gives it, or as a value for all rows. */
  readonly clock: {
    now(place: number): string
    table(place: number): string
    once(place: number): string
  }
  readonly forUpdate: string
  /** Another process may be at the same rows: it removes them. */
  readonly skipLocked: string
  /** The row to insert. What SQLite selects from the table that it inserts into goes through a table of its own. */
  oneRow(values: string, from: string): string
}

const mark = (place: number) => `?${place}`
/** The server's own time, unless the caller gives one. */
const serverTime = (place: number) =>
  `(select coalesce(cast($${place} as bigint), cast(extract(epoch from clock_timestamp()) * 1000 as bigint)) as now)`

const syntaxes: Readonly<Record<DialectName, Syntax>> = {
  sqlite: {
    ...{ text: mark, whole: mark, flag: mark },
    greatest: 'max',
    clock: { now: mark, table: () => '', once: mark },
    forUpdate: '',
    skipLocked: '',
    oneRow: (values) => `values (${values})`,
  },
  postgres: {
    text: (place) => `cast($${place} as text)`,
    whole: (place) => `cast($${place} as bigint)`,
    flag: (place) => `cast($${place} as boolean)`,
    greatest: 'greatest',
    clock: { now: () => 'clock.now', table: (place) => `${serverTime(place)} as clock`, once: serverTime },
    forUpdate: 'for update of clicks',
    skipLocked: 'for update skip locked',
    oneRow: (values, from) => `select ${values} ${from}`,
  },
}
