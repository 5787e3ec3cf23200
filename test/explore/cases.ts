import type { Case, Plan, StoreKind } from './case.ts'
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

const ledgerKinds: readonly StoreKind[] = ['plain', 'honors', 'fences', 'does not fence']
const kinds: readonly StoreKind[] = [...ledgerKinds, 'unsure', 'transactional', 'outside']

/** Two retries after the first request, in two processes. */
const twoRetries = [add('A1'), add('A2', { ...p2, after: ['A1'] }), add('A3', { process: 'p3', after: ['A1'] })]
const afterA1 = { process: 'p3', after: ['A1'] }
const rotated = [add('A1', { apiKey: 'old' }), add('A2', { ...p2, apiKey: 'new' })]
const namedRotated = [add('A1', { ...named, apiKey: 'old' }), add('A2', { ...named, ...p2, apiKey: 'new' })]
const threeClicks = [add('A1'), undo('B1', { ...p2, after: ['A1'] }), add('C1', { ...afterA1, product: 'p2' })]

const ends: readonly Fault[] = ['crash', 'lost response', 'failure', 'caller disconnects']
const late: readonly Fault[] = ['late write', 'late change', 'late response']
const clocks: readonly Fault[] = ['clock back', 'clock forward']
const transactions: readonly Fault[] = ['rollback', 'lost commit']

type Options = Omit<Case, 'name' | 'store' | 'requests' | 'faults'>
const lease: Options = { times: ['lease'] }
const window: Options = { times: ['window'] }
const longest: Options = { times: ['late', 'day'] }
const two: Options = { ...lease, maxFaults: 2 }
const noWindow: Options = { windowMs: 0 }
const young: Options = { isYoung: true }
/** Limits a document to two clicks. */
const small: Options = {
  times: [],
  edits: [{ from: 'const maxClicks = 100', to: 'const maxClicks = 2' }],
}

/** Returns one case for each kind of store. */
function forKinds(
  stores: readonly StoreKind[],
  name: string,
  requests: Case['requests'],
  faults: Case['faults'],
  options: Options = {},
): readonly Case[] {
  return stores.map((store) => ({ name: `${name}, ${store}`, store, requests, faults, ...options }))
}

/** Small cases, which `npm test` explores within seconds. */
export const shortCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice', twice, ends),
  ...forKinds(['plain', 'fences', 'transactional', 'outside'], 'one named click twice', namedTwice, ends),
  ...forKinds(['plain'], 'clock step', twice, clocks),
  ...forKinds(['honors', 'fences'], 'emptied ledger', twice, ['emptied ledger']),
  ...forKinds(['plain', 'fences'], 'young ledger', twice, ['crash'], young),
  ...forKinds(['transactional', 'outside'], 'transactions run again', twice, transactions),
  ...forKinds(['transactional', 'outside'], 'transactions of a named click run again', namedTwice, transactions),
  ...forKinds(
    ['plain', 'transactional'],
    'another change at every point, then a repeat of the first',
    [add('A1'), undo('B1', p2), add('A2', afterA1)],
    ['failure'],
    { times: [] },
  ),
  ...forKinds(['plain', 'fences', 'transactional'], 'add, undo, add', addUndoAdd, ['crash'], lease),
  ...forKinds(
    ['plain'],
    'another body with the same key',
    [add('A1', named), add('A2', { ...named, ...p2, product: 'p2' })],
    ['crash'],
  ),
  ...forKinds(
    ['fences'],
    'retry after an unknown outcome, sent twice',
    retriedTwice,
    ['lost response', 'crash'],
    window,
  ),
  ...forKinds(['honors', 'plain'], 'rejection after an unknown outcome', retriedTwice, ['lost response', 'failure'], {
    ...lease,
    rejections: 1,
  }),
  ...forKinds(['plain', 'transactional'], 'window of 0', twice, ['lost response'], noWindow),
  ...forKinds(['transactional'], 'window of 0, transaction runs again', twice, ['lost commit'], noWindow),
  ...forKinds(
    ['plain', 'honors'],
    'rejected, then repeated',
    [add('A1'), add('A2', { ...p2, after: ['A1'] })],
    ['repeated write'],
    { rejections: 1 },
  ),
  ...forKinds(['plain', 'fences'], 'repeated write', twice, ['repeated write']),
  ...forKinds(['plain'], 'ends of the longest periods', twice, ['crash', 'caller disconnects', 'failure'], longest),
  ...forKinds(['honors for a time'], 'ends of the time for which the platform stores a key', twice, ends, {
    times: ['late'],
  }),
  ...forKinds(['plain', 'transactional'], 'key rotation', rotated, ['failure']),
  ...forKinds(['plain', 'transactional'], 'documents of another version', twice, ['unsupported version']),
]

/** Larger cases, with up to two faults. */
export const longCases: readonly Case[] = [
  ...forKinds(kinds, 'one click twice, two faults', twice, ends, two),
  ...forKinds(kinds, 'one named click twice, two faults', namedTwice, ends, two),
  ...forKinds(kinds, 'one click twice, clock step and crash', twice, ['crash', ...clocks], two),
  ...forKinds(kinds, 'paused process', twice, ['pause']),
  ...forKinds(kinds, 'paused process, named', namedTwice, ['pause'], lease),
  ...forKinds(['plain', 'honors', 'does not fence'], 'late and repeated settle', twice, [...late, 'late read']),
  ...forKinds(['outside'], 'late and repeated settle', twice, [...late, 'late read']),
  ...forKinds(['plain', 'honors'], 'late and repeated settle, named', namedTwice, late, lease),
  // The store writes the click in its transaction, so no write of the click can be late.
  ...forKinds(['transactional'], 'late change and response', twice, ['late change', 'late response']),
  ...forKinds(
    ['transactional'],
    'late change and response, named',
    namedTwice,
    ['late change', 'late response'],
    lease,
  ),
  ...forKinds(['fences', 'does not fence'], 'late change of a crashed process', twice, ['late change', 'crash'], two),
  ...forKinds(
    ['fences', 'does not fence'],
    'two retries reconcile',
    twoRetries,
    ['crash', 'failure', 'lost response'],
    two,
  ),
  ...forKinds(['fences'], 'two retries reconcile, clock step', twoRetries, ['clock forward', 'failure'], {
    maxFaults: 2,
    times: [],
  }),
  // The ledger is young, so both requests call `reconcile`.
  ...forKinds(['fences'], 'two named requests reconcile, one pauses', namedTwice, ['pause'], { ...lease, ...young }),
  ...forKinds(['fences'], 'two requests reconcile, one pauses', twice, ['pause'], { ...lease, ...young }),
  ...forKinds(
    kinds,
    'another change at every point, then repeats of both',
    [add('A1'), undo('B1', p2), add('A2', { process: 'p3', after: ['A1', 'B1'] })],
    ['failure', 'crash'],
    lease,
  ),
  ...forKinds(
    ['plain', 'honors', 'fences'],
    'rejection after an unknown outcome, two faults',
    retriedTwice,
    ['lost response', 'failure', 'crash'],
    { ...two, rejections: 2 },
  ),
  ...forKinds(ledgerKinds, 'retry after a late success, sent twice', retriedTwice, late, window),
  ...forKinds(['honors'], 'late success while the second attempt runs', twice, ['late change', 'crash'], two),
  ...forKinds(
    ledgerKinds,
    'poll after another change',
    [add('A1'), add('A2', p2), undo('B1', afterA1)],
    ['lost response', 'crash'],
    lease,
  ),
  ...forKinds(ledgerKinds, 'emptied ledger', retriedTwice, ['emptied ledger'], window),
  ...forKinds(ledgerKinds, 'emptied ledger, named', namedTwice, ['emptied ledger', 'crash'], two),
  ...forKinds(ledgerKinds, 'partial loss', twice, ['partial loss']),
  ...forKinds(
    ['plain', 'transactional'],
    'two customers with one key',
    [add('A1', named), add('C1', { ...named, ...p2, customer: 'bob' }), add('A2', { ...named, ...p2 })],
    ['crash'],
    lease,
  ),
  ...forKinds(['plain', 'fences', 'transactional'], 'window of 0, two faults', twice, ends, { ...two, ...noWindow }),
  ...forKinds(
    ['plain', 'transactional'],
    'sendNow with another change',
    [sendNow('S1'), add('A1', { ...p2, after: ['S1'] }), sendNow('S2', { after: ['A1'] })],
    ['crash', 'lost response', 'caller disconnects'],
    lease,
  ),
  ...forKinds(['plain'], 'a change that may run again', [delay('D1'), delay('D2', p2)], ends, two),
  ...forKinds(['transactional'], 'lost commit, repeated', addUndoAdd, [...transactions, 'lost response', 'crash'], two),
  ...forKinds(
    ['transactional', 'outside'],
    'rejection after an unknown outcome, in a transaction',
    retriedTwice,
    ['failure', 'rollback', 'crash'],
    { ...two, rejections: 2 },
  ),
  ...forKinds(['outside'], 'transactions run again, two faults', twice, [...transactions, 'failure', 'crash'], two),
  ...forKinds(['outside'], 'late transaction, claimed outside', twice, ['late change', 'crash'], two),
  ...forKinds(['outside'], 'emptied ledger, claimed outside', retriedTwice, ['emptied ledger'], window),
  ...forKinds(['honors for a time'], 'ends of the time for which the platform stores a key, two faults', twice, ends, {
    maxFaults: 2,
    times: ['late'],
  }),
  ...forKinds(
    ['honors', 'fences', 'outside'],
    'key rotation, two faults',
    namedRotated,
    ['crash', 'lost response'],
    two,
  ),
  ...forKinds(
    ['honors', 'fences'],
    'documents of another version, two faults',
    namedTwice,
    ['unsupported version', 'crash', 'lost response'],
    two,
  ),
  ...forKinds(
    ['outside'],
    'documents of another version',
    namedTwice,
    ['unsupported version', 'crash', 'lost response'],
    lease,
  ),
  ...forKinds(['plain', 'transactional'], 'at most two clicks in a document', threeClicks, ['lost response'], small),
  ...forKinds(
    ['honors', 'fences'],
    'at most two clicks in a document, two faults',
    threeClicks,
    ['lost response', 'crash'],
    { ...small, maxFaults: 2 },
  ),
  ...forKinds(['plain', 'honors', 'fences'], 'end of the first day of a ledger', twice, ['crash', 'lost response'], {
    times: ['day'],
    ...young,
  }),
  ...forKinds(
    ['honors', 'fences', 'does not fence', 'unsure', 'transactional', 'outside'],
    'ends of the longest periods',
    twice,
    ['crash', 'caller disconnects', 'failure'],
    longest,
  ),
]
