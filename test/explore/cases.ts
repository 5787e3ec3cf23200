import { dayMs, type Plan, type StoreKind, tickMs, windowMs } from './world.ts'

/** A small set of requests and faults. The explorer runs every schedule of a case. */
export interface Case {
  readonly name: string
  readonly kind: StoreKind
  readonly requests: readonly Plan[]
  /** Requests that must have their response before a request arrives. */
  readonly after: Readonly<Record<string, readonly string[]>>
  /** Maximum number of faults in one schedule. */
  readonly faults: number
  /** Windows of unnamed clicks, in milliseconds; default `windowMs`. */
  readonly windows?: Readonly<Record<string, number>>
  /** How often time may pass, and by how many milliseconds; default once `windowMs`. */
  readonly jumpCount?: number
  readonly jumps?: readonly number[]
  /** How often the clock of the storage may be set. */
  readonly clockSteps?: number
  /** Whether the ledger may lose its data once. */
  readonly empties?: boolean
  /** Whether the answer of a claim may be lost, and its write delayed. */
  readonly delaysClaims?: boolean
  /** Whether each request claims when it arrives, which leaves fewer schedules. */
  readonly claimsOnArrival?: boolean
  /** By how many milliseconds the time that a request has waited is too long. */
  readonly late?: number
}

const request = (id: string, click: string, more: Partial<Plan> = {}): Plan => ({ id, click, who: 'c', ...more })
const [a1, a2, a3] = [request('A1', 'a'), request('A2', 'a'), request('A3', 'a')]
const [b1, b2] = [request('B1', 'b'), request('B2', 'b')]
const named = (id: string, more: Partial<Plan> = {}) => request(id, 'a', { named: 'k', ...more })

const kinds: readonly StoreKind[] = ['plain', 'honors', 'fences', 'reconciles', 'transactional', 'continues']
const claimsOnArrival = true

type Row = Omit<Case, 'kind' | 'after'> & { readonly after?: Case['after'] }

const rows: readonly Row[] = [
  { name: 'one click twice', requests: [a1, a2], faults: 2 },
  { name: 'one named click twice', requests: [named('A1'), named('A2')], faults: 2 },
  { name: 'named and unnamed', requests: [named('A1'), a2, named('A3')], after: { A3: ['A1'] }, faults: 1 },
  {
    name: 'one key with another body',
    requests: [named('A1'), request('B1', 'b', { named: 'k' })],
    faults: 1,
  },
  { name: 'add, undo, add', requests: [a1, b1, a2], after: { B1: ['A1'], A2: ['B1'] }, faults: 2 },
  { name: 'undo beside, then add again', requests: [a1, b1, a2], after: { A2: ['A1'] }, faults: 1 },
  { name: 'three concurrently', requests: [a1, b1, a2], faults: 1, claimsOnArrival },
  { name: 'retried twice', requests: [a1, a2, a3], after: { A2: ['A1'], A3: ['A2'] }, faults: 2 },
  { name: 'two retries', requests: [a1, a2, a3], after: { A2: ['A1'], A3: ['A1'] }, faults: 1 },
  {
    name: 'named, retried twice',
    requests: [named('A1'), named('A2'), named('A3')],
    after: { A2: ['A1'], A3: ['A2'] },
    faults: 2,
  },
  {
    name: 'a window ends',
    requests: [a1, a2, a3],
    after: { A2: ['A1'], A3: ['A2'] },
    faults: 1,
    jumpCount: 2,
    jumps: [-3, -2, -1, 0, 1].map((ticks) => windowMs + ticks * tickMs),
  },
  {
    name: 'a named window and an unknown outcome end',
    requests: [named('A1'), named('A2')],
    after: { A2: ['A1'] },
    faults: 1,
    jumpCount: 1,
    jumps: [-2, -1, 0, 1].map((ticks) => dayMs + ticks * tickMs),
  },
  { name: 'a window of 0', requests: [a1, a2, a3], after: { A3: ['A1'] }, faults: 1, windows: { a: 0 } },
  {
    name: 'different windows',
    requests: [a1, b1, a2],
    after: { B1: ['A1'], A2: ['B1'] },
    faults: 1,
    windows: { a: 600_000 },
    jumpCount: 1,
    jumps: [70_000],
  },
  {
    name: 'error, another change, again',
    requests: [a1, b1, a2],
    after: { B1: ['A1'], A2: ['B1'] },
    faults: 1,
    jumpCount: 1,
    jumps: [9000, 70_000],
  },
  {
    name: 'the clock is set',
    requests: [a1, b1, a2],
    after: { B1: ['A1'], A2: ['A1'] },
    faults: 1,
    clockSteps: 1,
    jumpCount: 1,
    jumps: [windowMs + 10],
    claimsOnArrival,
  },
  {
    name: 'the ledger is emptied',
    requests: [a1, a2, b1],
    after: { B1: ['A1'] },
    faults: 1,
    empties: true,
    claimsOnArrival,
  },
  { name: 'a release overtakes its claim', requests: [a1, a2], faults: 2, delaysClaims: true },
  {
    name: 'a release overtakes its claim, later',
    requests: [b1, a1, a2],
    after: { A1: ['B1'], A2: ['A1'] },
    faults: 1,
    delaysClaims: true,
    jumpCount: 1,
  },
  { name: 'three processes', requests: [a1, a2, a3], faults: 2, claimsOnArrival },
  { name: 'four requests', requests: [a1, a2, b1, a3], after: { A3: ['A1'] }, faults: 1, claimsOnArrival },
  {
    name: 'add, undo, add, undo',
    requests: [a1, b1, a2, b2],
    after: { B1: ['A1'], A2: ['B1'], B2: ['A2'] },
    faults: 2,
    claimsOnArrival,
  },
  {
    name: 'one key of two customers',
    requests: [named('A1'), named('A2', { who: 'd' }), named('A3')],
    faults: 1,
    claimsOnArrival,
  },
  {
    name: 'overtaken',
    requests: [a1, a2, b1, b2, a3],
    after: { B1: ['A1'], B2: ['B1'], A3: ['B2'] },
    faults: 0,
    claimsOnArrival,
  },
  { name: 'inexact arrival', requests: [a1, a2, b1], after: { B1: ['A1'] }, faults: 1, claimsOnArrival, late: 2 },
]

/** Every row with every kind of store. */
export const cases: readonly Case[] = rows.flatMap(({ after = {}, ...row }) =>
  kinds
    .filter((kind) => kind !== 'transactional' || row.delaysClaims !== true)
    .map((kind) => ({ ...row, name: `${row.name}, ${kind}`, kind, after })),
)
