import type { Case, Plan } from './case.ts'
import type { StoreKind } from './shop.ts'
import type { Fault } from './world.ts'

const add = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'addProduct', ...more })
const undo = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'undoAddProduct', ...more })
const sendNow = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'sendNow', ...more })
const delay = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'delaySubscription', ...more })
const p2 = { process: 'p2' } as const
const named = { key: 'name-1' } as const

/** The same click twice, in two processes. */
const twice = [add('A1'), add('A2', p2)]
/** The same named click twice. */
const namedTwice = [add('A1', named), add('A2', { ...named, ...p2 })]
/** Add, undo, add: three clicks, if each begins after the response to the one before. */
const inTurn = [add('A1'), undo('B1', { ...p2, after: ['A1'] }), add('A2', { after: ['B1'] })]
/** The first attempt, its retry, and the retry once more. */
const retriedTwice = [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { ...p2, after: ['A2'] })]

const kinds: readonly StoreKind[] = ['plain', 'honours', 'fences', 'does not fence', 'unsure', 'keeps']
const ledgerKinds: readonly StoreKind[] = ['plain', 'honours', 'fences', 'does not fence']

/** Makes one case for each kind of store. */
function forKinds(stores: readonly StoreKind[], name: string, of: Omit<Case, 'name' | 'store'>): readonly Case[] {
  return stores.map((store) => ({ name: `${name}, ${store}`, store, ...of }))
}

const ends: readonly Fault[] = ['crash', 'lost answer', 'failure', 'caller leaves']
const late: readonly Fault[] = ['late write', 'late change', 'late answer']
const clocks: readonly Fault[] = ['clock back', 'clock forward']
const transactions: readonly Fault[] = ['rollback', 'lost commit']

/** Small cases, which `npm test` explores within seconds. */
export const shortCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice', { requests: twice, faults: ends }),
  ...forKinds(['plain', 'fences', 'keeps'], 'one named click twice', { requests: namedTwice, faults: ends }),
  ...forKinds(['plain'], 'clock step', { requests: twice, faults: clocks }),
  ...forKinds(['honours', 'fences'], 'emptied ledger', { requests: twice, faults: ['emptied ledger'] }),
  ...forKinds(['plain', 'fences'], 'young ledger', {
    requests: twice,
    faults: ['crash'],
    isYoung: true,
  }),
  ...forKinds(['keeps'], 'transactions run again', { requests: twice, faults: transactions }),
  ...forKinds(['keeps'], 'transactions of a named click run again', { requests: namedTwice, faults: transactions }),
  ...forKinds(['plain', 'keeps'], 'another change at every place, then the first again', {
    requests: [add('A1'), undo('B1', p2), add('A2', { process: 'p3', after: ['A1'] })],
    faults: ['failure'],
    times: [],
  }),
  ...forKinds(['plain', 'fences', 'keeps'], 'add, undo, add', {
    requests: inTurn,
    faults: ['crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain'], 'another body with the same name', {
    requests: [add('A1', named), add('A2', { ...named, ...p2, product: 'p2' })],
    faults: ['crash'],
  }),
  ...forKinds(['fences'], 'retry after an unknown outcome, sent twice', {
    requests: retriedTwice,
    faults: ['lost answer', 'crash'],
    times: ['window'],
  }),
  ...forKinds(['honours', 'plain'], 'rejection after an unknown outcome', {
    requests: retriedTwice,
    faults: ['lost answer', 'failure'],
    rejections: 1,
    times: ['lease'],
  }),
  ...forKinds(['plain', 'keeps'], 'window of 0', {
    requests: twice,
    faults: ['lost answer', 'lost commit'],
    windowMs: 0,
  }),
  ...forKinds(['plain', 'honours'], 'rejected, then again', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] })],
    faults: ['repeated write'],
    rejections: 1,
  }),
  ...forKinds(['plain', 'fences'], 'write that is made twice', { requests: twice, faults: ['repeated write'] }),
  ...forKinds(['plain'], 'ends of the long times', {
    requests: twice,
    faults: ['crash', 'caller leaves', 'failure'],
    times: ['late', 'day'],
  }),
]

/** All that the issue and the decisions list, with up to two faults. */
export const longCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice, two faults', {
    requests: twice,
    faults: ends,
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'one named click twice, two faults', {
    requests: namedTwice,
    faults: ends,
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'one click twice, clock step and crash', {
    requests: twice,
    faults: ['crash', ...clocks],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'paused process', { requests: twice, faults: ['pause'] }),
  ...forKinds(kinds, 'paused process, named', { requests: namedTwice, faults: ['pause'], times: ['lease'] }),
  ...forKinds(['plain', 'honours', 'does not fence', 'keeps'], 'late and repeated settle', {
    requests: twice,
    faults: [...late, 'late read'],
  }),
  ...forKinds(['plain', 'honours', 'keeps'], 'late and repeated settle, named', {
    requests: namedTwice,
    faults: late,
    times: ['lease'],
  }),
  ...forKinds(['fences', 'does not fence'], 'late change of a lost process', {
    requests: twice,
    faults: ['late change', 'crash'],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(['fences', 'does not fence'], 'two retries reconcile', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { process: 'p3', after: ['A1'] })],
    faults: ['crash', 'failure', 'lost answer'],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(['fences'], 'two retries reconcile, clock step', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { process: 'p3', after: ['A1'] })],
    faults: ['clock forward', 'failure'],
    most: 2,
    times: [],
  }),
  // On a young ledger both reconcile.
  ...forKinds(['fences'], 'two named requests reconcile, one pauses', {
    requests: namedTwice,
    faults: ['pause'],
    times: ['lease'],
    isYoung: true,
  }),
  ...forKinds(['fences'], 'two requests reconcile, one pauses', {
    requests: twice,
    faults: ['pause'],
    times: ['lease'],
    isYoung: true,
  }),
  ...forKinds(kinds, 'another change at every place, then both again', {
    requests: [add('A1'), undo('B1', p2), add('A2', { process: 'p3', after: ['A1', 'B1'] })],
    faults: ['failure', 'crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain', 'honours', 'fences'], 'rejection after an unknown outcome, two faults', {
    requests: retriedTwice,
    faults: ['lost answer', 'failure', 'crash'],
    most: 2,
    rejections: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'retry after a late success, sent twice', {
    requests: retriedTwice,
    faults: ['late answer', 'late change', 'late write'],
    times: ['window'],
  }),
  ...forKinds(['honours'], 'late success while the second attempt runs', {
    requests: twice,
    faults: ['late change', 'crash'],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'poll after another change', {
    requests: [add('A1'), add('A2', p2), undo('B1', { process: 'p3', after: ['A1'] })],
    faults: ['lost answer', 'crash'],
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'emptied ledger', { requests: retriedTwice, faults: ['emptied ledger'], times: ['window'] }),
  ...forKinds(ledgerKinds, 'emptied ledger, named', {
    requests: namedTwice,
    faults: ['emptied ledger', 'crash'],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'partial loss', { requests: twice, faults: ['partial loss'] }),
  ...forKinds(['plain', 'keeps'], 'two customers with one name', {
    requests: [add('A1', named), add('C1', { ...named, ...p2, customer: 'bob' }), add('A2', { ...named, ...p2 })],
    faults: ['crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain', 'fences', 'keeps'], 'window of 0, two faults', {
    requests: twice,
    faults: ends,
    most: 2,
    windowMs: 0,
    times: ['lease'],
  }),
  ...forKinds(['plain', 'keeps'], 'sendNow with another change', {
    requests: [sendNow('S1'), add('A1', { ...p2, after: ['S1'] }), sendNow('S2', { after: ['A1'] })],
    faults: ['crash', 'lost answer', 'caller leaves'],
    times: ['lease'],
  }),
  ...forKinds(['plain'], 'a change that may run again', {
    requests: [delay('D1'), delay('D2', p2)],
    faults: ends,
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(['keeps'], 'lost commit, run again', {
    requests: inTurn,
    faults: [...transactions, 'lost answer', 'crash'],
    most: 2,
    times: ['lease'],
  }),
  ...forKinds(['honours', 'fences', 'does not fence', 'unsure', 'keeps'], 'ends of the long times', {
    requests: twice,
    faults: ['crash', 'caller leaves', 'failure'],
    times: ['late', 'day'],
  }),
]
