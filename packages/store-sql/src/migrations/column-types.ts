import type { DialectName } from '../db/connections.ts'

/** The columns that the two databases write differently, and how a table ends. */
export interface Columns {
  /** Text that rows are found by, compared byte by byte. */
  key(name: string): string
  /** An amount in minor units, never negative. */
  money(name: string): string
  /** A whole number that counts something. */
  count(name: string): string
  /** A calendar date. */
  date(name: string): string
  /** True or false. */
  flag(name: string): string
  /** A fraction. */
  decimal(name: string): string
  /** Milliseconds since 1970. */
  instant(name: string): string
  /** JSON. */
  json(name: string): string
  /** A primary key that grows from row to row. */
  growing(name: string): string
  /** A text in lower case, ASCII letters only, made by the database. */
  lowered(name: string, of: string): string
  /** What follows the columns of a table whose rows are found by a text. */
  readonly end: string
  /** What follows the columns of a table with a growing key. */
  readonly endOfGrowing: string
}

/** The columns of a dialect. */
export function columnsOf(dialect: DialectName): Columns {
  return dialect === 'sqlite' ? sqlite : postgres
}

const sqlite: Columns = {
  key: (name) => `${name} text`,
  money: (name) => `${name} integer check (${name} >= 0)`,
  count: (name) => `${name} integer`,
  date: (name) => `${name} text check (date(${name}) = ${name})`,
  flag: (name) => `${name} integer check (${name} in (0, 1))`,
  decimal: (name) => `${name} real`,
  instant: (name) => `${name} integer`,
  json: (name) => `${name} text check (json_valid(${name}))`,
  growing: (name) => `${name} integer primary key autoincrement`,
  lowered: (name, of) => `${name} text generated always as (lower(${of})) stored`,
  // The rows lie in the index of the key itself: half the work of a change, and a file that is smaller.
  end: 'strict, without rowid',
  endOfGrowing: 'strict',
}

const postgres: Columns = {
  key: (name) => `${name} text collate "C"`,
  money: (name) => `${name} bigint check (${name} >= 0)`,
  count: (name) => `${name} bigint`,
  date: (name) => `${name} date`,
  flag: (name) => `${name} boolean`,
  decimal: (name) => `${name} double precision`,
  instant: (name) => `${name} bigint`,
  json: (name) => `${name} jsonb`,
  growing: (name) => `${name} bigint generated always as identity primary key`,
  // Under a Turkish collation the letter I would become another one.
  lowered: (name, of) => `${name} text collate "C" generated always as (lower(${of} collate "C")) stored`,
  end: '',
  endOfGrowing: '',
}
