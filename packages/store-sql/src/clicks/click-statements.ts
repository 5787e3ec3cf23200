import type { DialectName } from '../db/connections.ts'

/**
 * The statements about clicks. Those that keep a click have the parameters of `clickParameters`; all others have the id
 * first, and the clock last where there is one.
 */
export type ClickStatements = ReturnType<typeof writeClickStatements>

/** Writes the statements about clicks in the language of a database. The clock is a server's own, unless the caller gives the time. */
export function writeClickStatements(dialect: DialectName) {
  const { parameter, greatest, clock, forUpdate, skipLocked } = syntaxes[dialect]
  const text = (place: number) => `cast(${parameter(place)} as text)`
  const whole = (place: number) => `cast(${parameter(place)} as bigint)`
  const timed = (place: number) => `(select ${clock(whole(place))} as now) as clock`

  /** A time, but later than every other click of the customer, also when the clock was set back. */
  const ordinal = (time: string, customer: string, others = 'true') =>
    `${greatest}(${time}, 1 + coalesce((select max(ordinal) from clicks as others
      where others.customer = ${customer} and ${others}), 0))`

  /** Inserts a click whose state began at a moment; parameters begin after those of a larger statement. */
  const insert = (moment: string, order: (customer: string) => string, after = 0) =>
    `insert into clicks (id, customer, fingerprint, named, state, idempotency_key, try_key,
        ordinal, first_try_at, since, until, expires_at)
      select ${text(after + 1)}, ${text(after + 2)}, ${text(after + 3)}, cast(${parameter(after + 4)} as boolean),
        ${text(after + 6)}, ${text(after + 5)}, ${text(after + 5)},
        ${order(text(after + 2))}, ${moment}, ${moment}, ${moment} + ${whole(after + 7)}, ${moment} + ${whole(after + 8)}
      from ${timed(after + 9)} where true on conflict (id)`
  const insertNow = (after = 0) => insert('clock.now', (customer) => ordinal('clock.now', customer), after)

  const replaced = ['customer', 'fingerprint', 'named', 'idempotency_key', 'try_key', 'first_try_at']
  const settled = ['state', 'ordinal', 'since', 'until', 'expires_at']
  const set = (columns: readonly string[]) => columns.map((name) => `${name} = excluded.${name}`).join(', ')

  const endedAt = `clock.now - ${whole(10)}`
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
    succeed: `${insert(endedAt, (customer) =>
      ordinal(
        endedAt,
        customer,
        `others.id <> ${text(1)} and not (others.since > ${endedAt} and others.since <= clock.now)`,
      ),
    )} do update set ${set(settled)}
      where clicks.fingerprint = excluded.fingerprint and (clicks.state <> 'done' or clicks.since <= excluded.since)`,
    /** Reads a click with what a judgement needs, and locks its row. */
    read: `select fingerprint, state, idempotency_key, try_key, first_try_at, since, until, clock.now,
        exists (select 1 from clicks as later where later.customer = clicks.customer
          and later.state = 'done' and ${later}) as has_later_success,
        exists (select 1 from clicks as later where later.customer = clicks.customer
          and later.state <> 'done' and later.expires_at > clock.now and ${later}) as has_later_try
      from clicks, ${timed(2)} where clicks.id = ${text(1)} ${forUpdate}`,
    /** Runs a click again, under a try that may take some time. Parameters: id, try, time. */
    reopen: `update clicks set state = 'running', try_key = ${text(2)}, since = clock.now, until = clock.now + ${whole(3)},
        ordinal = ${ordinal('clock.now', 'clicks.customer')},
        expires_at = ${greatest}(expires_at, clock.now + ${whole(3)})
      from ${timed(4)} where id = ${text(1)}`,
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
    find: `select id from clicks, ${timed(2)} where id = ${text(1)} and state = 'done' and until > clock.now`,
    /** Removes some that have expired long ago. Parameters: how long ago, how many, clock. */
    sweep: `delete from clicks where id in (
        select id from clicks where expires_at <= (select ${clock(whole(3))}) - ${whole(1)}
        order by expires_at limit ${whole(2)} ${skipLocked})
      and expires_at <= (select ${clock(whole(3))}) - ${whole(1)}`,
  }
}

/** What the databases write differently. */
interface Syntax {
  parameter(place: number): string
  readonly greatest: string
  /** The time in milliseconds since 1970, from what the caller gives. */
  clock(given: string): string
  readonly forUpdate: string
  /** Another process may be at the same rows: it removes them. */
  readonly skipLocked: string
}

const syntaxes: Readonly<Record<DialectName, Syntax>> = {
  sqlite: {
    parameter: (place) => `?${place}`,
    greatest: 'max',
    clock: (given) => given,
    forUpdate: '',
    skipLocked: '',
  },
  postgres: {
    parameter: (place) => `$${place}`,
    greatest: 'greatest',
    clock: (given) => `coalesce(${given}, cast(extract(epoch from clock_timestamp()) * 1000 as bigint))`,
    forUpdate: 'for update of clicks',
    skipLocked: 'for update skip locked',
  },
}
