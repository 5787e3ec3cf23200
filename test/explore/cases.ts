import type { Case, Plan, StoreKind } from './case.ts'
import type { Edit } from './core.ts'
import type { Fault } from './world.ts'

const add = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'addProduct', ...more })
const undo = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'undoAddProduct', ...more })
const sendNow = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'sendNow', ...more })
const delay = (name: string, more: Partial<Plan> = {}): Plan => ({ name, endpoint: 'delaySubscription', ...more })
const p2 = { process: 'p2' } as const
const named = { key: 'name-1' } as const

/** The same click, sent to two processes. */
const twice = [add('A1'), add('A2', p2)]
const namedTwice = [add('A1', named), add('A2', { ...named, ...p2 })]
/** Add, undo and add. Each request follows the previous response, so these are three clicks. */
const addUndoAdd = [add('A1'), undo('B1', { ...p2, after: ['A1'] }), add('A2', { after: ['B1'] })]
const retriedTwice = [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { ...p2, after: ['A2'] })]

const kinds: readonly StoreKind[] = [
  'plain',
  'honors',
  'fences',
  'does not fence',
  'unsure',
  'transactional',
  'outside',
]
const ledgerKinds: readonly StoreKind[] = ['plain', 'honors', 'fences', 'does not fence']

/** Three clicks of one customer, with documents that hold two clicks. */
const atMostTwo: Edit = { file: 'protocol.ts', from: 'const maxClicks = 100', to: 'const maxClicks = 2' }
const threeClicks = {
  requests: [
    add('A1'),
    undo('B1', { ...p2, after: ['A1'] }),
    add('C1', { process: 'p3', product: 'p2', after: ['A1'] }),
  ],
  times: [],
  edits: [atMostTwo],
}

/** Returns one case for each kind of store. */
function forKinds(stores: readonly StoreKind[], name: string, of: Omit<Case, 'name' | 'store'>): readonly Case[] {
  return stores.map((store) => ({ name: `${name}, ${store}`, store, ...of }))
}

const ends: readonly Fault[] = ['crash', 'lost response', 'failure', 'caller disconnects']
const late: readonly Fault[] = ['late write', 'late change', 'late response']
const clocks: readonly Fault[] = ['clock back', 'clock forward']
const transactions: readonly Fault[] = ['rollback', 'lost commit']

/** Small cases, which `npm test` explores within seconds. */
export const shortCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice', { requests: twice, faults: ends }),
  ...forKinds(['plain', 'fences', 'transactional', 'outside'], 'one named click twice', {
    requests: namedTwice,
    faults: ends,
  }),
  ...forKinds(['plain'], 'clock step', { requests: twice, faults: clocks }),
  ...forKinds(['honors', 'fences'], 'emptied ledger', { requests: twice, faults: ['emptied ledger'] }),
  ...forKinds(['plain', 'fences'], 'young ledger', {
    requests: twice,
    faults: ['crash'],
    isYoung: true,
  }),
  ...forKinds(['transactional', 'outside'], 'transactions run again', { requests: twice, faults: transactions }),
  ...forKinds(['transactional', 'outside'], 'transactions of a named click run again', {
    requests: namedTwice,
    faults: transactions,
  }),
  ...forKinds(['plain', 'transactional'], 'another change at every point, then a repeat of the first', {
    requests: [add('A1'), undo('B1', p2), add('A2', { process: 'p3', after: ['A1'] })],
    faults: ['failure'],
    times: [],
  }),
  ...forKinds(['plain', 'fences', 'transactional'], 'add, undo, add', {
    requests: addUndoAdd,
    faults: ['crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain'], 'another body with the same key', {
    requests: [add('A1', named), add('A2', { ...named, ...p2, product: 'p2' })],
    faults: ['crash'],
  }),
  ...forKinds(['fences'], 'retry after an unknown outcome, sent twice', {
    requests: retriedTwice,
    faults: ['lost response', 'crash'],
    times: ['window'],
  }),
  ...forKinds(['honors', 'plain'], 'rejection after an unknown outcome', {
    requests: retriedTwice,
    faults: ['lost response', 'failure'],
    rejections: 1,
    times: ['lease'],
  }),
  ...forKinds(['plain', 'transactional'], 'window of 0', { requests: twice, faults: ['lost response'], windowMs: 0 }),
  ...forKinds(['transactional'], 'window of 0, transaction runs again', {
    requests: twice,
    faults: ['lost commit'],
    windowMs: 0,
  }),
  ...forKinds(['plain', 'honors'], 'rejected, then repeated', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] })],
    faults: ['repeated write'],
    rejections: 1,
  }),
  ...forKinds(['plain', 'fences'], 'repeated write', { requests: twice, faults: ['repeated write'] }),
  ...forKinds(['plain'], 'ends of the longest periods', {
    requests: twice,
    faults: ['crash', 'caller disconnects', 'failure'],
    times: ['late', 'day'],
  }),
  ...forKinds(['honors for a time'], 'ends of the time for which the platform stores a key', {
    requests: twice,
    faults: ends,
    times: ['late'],
  }),
  ...forKinds(['plain', 'transactional'], 'key rotation', {
    requests: [add('A1', { apiKey: 'old' }), add('A2', { ...p2, apiKey: 'new' })],
    faults: ['failure'],
  }),
  ...forKinds(['plain', 'transactional'], 'documents of another version', {
    requests: twice,
    faults: ['unsupported version'],
  }),
]

/** Larger cases, with up to two faults. */
export const longCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice, two faults', {
    requests: twice,
    faults: ends,
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'one named click twice, two faults', {
    requests: namedTwice,
    faults: ends,
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'one click twice, clock step and crash', {
    requests: twice,
    faults: ['crash', ...clocks],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(kinds, 'paused process', { requests: twice, faults: ['pause'] }),
  ...forKinds(kinds, 'paused process, named', { requests: namedTwice, faults: ['pause'], times: ['lease'] }),
  ...forKinds(['plain', 'honors', 'does not fence', 'transactional', 'outside'], 'late and repeated settle', {
    requests: twice,
    faults: [...late, 'late read'],
  }),
  ...forKinds(['plain', 'honors', 'transactional'], 'late and repeated settle, named', {
    requests: namedTwice,
    faults: late,
    times: ['lease'],
  }),
  ...forKinds(['fences', 'does not fence'], 'late change of a crashed process', {
    requests: twice,
    faults: ['late change', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['fences', 'does not fence'], 'two retries reconcile', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { process: 'p3', after: ['A1'] })],
    faults: ['crash', 'failure', 'lost response'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['fences'], 'two retries reconcile, clock step', {
    requests: [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { process: 'p3', after: ['A1'] })],
    faults: ['clock forward', 'failure'],
    maxFaults: 2,
    times: [],
  }),
  // The ledger is young, so both requests call `reconcile`.
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
  ...forKinds(kinds, 'another change at every point, then repeats of both', {
    requests: [add('A1'), undo('B1', p2), add('A2', { process: 'p3', after: ['A1', 'B1'] })],
    faults: ['failure', 'crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain', 'honors', 'fences'], 'rejection after an unknown outcome, two faults', {
    requests: retriedTwice,
    faults: ['lost response', 'failure', 'crash'],
    maxFaults: 2,
    rejections: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'retry after a late success, sent twice', {
    requests: retriedTwice,
    faults: ['late response', 'late change', 'late write'],
    times: ['window'],
  }),
  ...forKinds(['honors'], 'late success while the second attempt runs', {
    requests: twice,
    faults: ['late change', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'poll after another change', {
    requests: [add('A1'), add('A2', p2), undo('B1', { process: 'p3', after: ['A1'] })],
    faults: ['lost response', 'crash'],
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'emptied ledger', { requests: retriedTwice, faults: ['emptied ledger'], times: ['window'] }),
  ...forKinds(ledgerKinds, 'emptied ledger, named', {
    requests: namedTwice,
    faults: ['emptied ledger', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(ledgerKinds, 'partial loss', { requests: twice, faults: ['partial loss'] }),
  ...forKinds(['plain', 'transactional'], 'two customers with one key', {
    requests: [add('A1', named), add('C1', { ...named, ...p2, customer: 'bob' }), add('A2', { ...named, ...p2 })],
    faults: ['crash'],
    times: ['lease'],
  }),
  ...forKinds(['plain', 'fences', 'transactional'], 'window of 0, two faults', {
    requests: twice,
    faults: ends,
    maxFaults: 2,
    windowMs: 0,
    times: ['lease'],
  }),
  ...forKinds(['plain', 'transactional'], 'sendNow with another change', {
    requests: [sendNow('S1'), add('A1', { ...p2, after: ['S1'] }), sendNow('S2', { after: ['A1'] })],
    faults: ['crash', 'lost response', 'caller disconnects'],
    times: ['lease'],
  }),
  ...forKinds(['plain'], 'a change that may run again', {
    requests: [delay('D1'), delay('D2', p2)],
    faults: ends,
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['transactional'], 'lost commit, repeated', {
    requests: addUndoAdd,
    faults: [...transactions, 'lost response', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['transactional', 'outside'], 'rejection after an unknown outcome, in a transaction', {
    requests: retriedTwice,
    faults: ['failure', 'rollback', 'crash'],
    maxFaults: 2,
    rejections: 2,
    times: ['lease'],
  }),
  ...forKinds(['outside'], 'transactions run again, two faults', {
    requests: twice,
    faults: [...transactions, 'failure', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['outside'], 'late transaction, claimed outside', {
    requests: twice,
    faults: ['late change', 'crash'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['outside'], 'emptied ledger, claimed outside', {
    requests: retriedTwice,
    faults: ['emptied ledger'],
    times: ['window'],
  }),
  ...forKinds(['honors for a time'], 'ends of the time for which the platform stores a key, two faults', {
    requests: twice,
    faults: ends,
    maxFaults: 2,
    times: ['late'],
  }),
  ...forKinds(['honors', 'fences', 'outside'], 'key rotation, two faults', {
    requests: [add('A1', { ...named, apiKey: 'old' }), add('A2', { ...named, ...p2, apiKey: 'new' })],
    faults: ['crash', 'lost response'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['honors', 'fences', 'outside'], 'documents of another version, two faults', {
    requests: namedTwice,
    faults: ['unsupported version', 'crash', 'lost response'],
    maxFaults: 2,
    times: ['lease'],
  }),
  ...forKinds(['plain', 'transactional'], 'at most two clicks in a document', {
    ...threeClicks,
    faults: ['lost response'],
  }),
  ...forKinds(['honors', 'fences'], 'at most two clicks in a document, two faults', {
    ...threeClicks,
    faults: ['lost response', 'crash'],
    maxFaults: 2,
  }),
  ...forKinds(['plain', 'honors', 'fences'], 'end of the first day of a ledger', {
    requests: twice,
    faults: ['crash', 'lost response'],
    times: ['day'],
    isYoung: true,
  }),
  ...forKinds(
    ['honors', 'fences', 'does not fence', 'unsure', 'transactional', 'outside'],
    'ends of the longest periods',
    {
      requests: twice,
      faults: ['crash', 'caller disconnects', 'failure'],
      times: ['late', 'day'],
    },
  ),
]
