import { describe, expect, it } from 'vitest'
import type { ClaimRequest } from '../../src/retries/ledger.ts'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, createDocument, honours, minute, named, undo, windowMs } from './document.ts'

type Replay = NonNullable<ClaimRequest['replay']>

const replayOf = (changes: Partial<Replay>) => ({
  replay: { requestId: 'failed', key: 'unknown key', isUnknown: true, ageMs: 0, ...changes },
})
const forgotten = 'store_unavailable 3600'
const transactional = { isTransactional: true, ageMs: 50_000 }

describe('the replay of a failed click', () => {
  it('runs a rejected click again, even after an earlier success of the same fields', () => {
    const { run, wait, send } = createDocument()
    run(add)
    wait(windowMs)
    const { key } = run(add, 'rejected')
    wait(dayMs)
    expect(send(add, replayOf({ key, isUnknown: false }))).toBe('claimed')
  })

  it('returns the success of the click, even after its window', () => {
    const { run, wait, send } = createDocument()
    const { key } = run(add, 'unreported')
    wait(11 * minute)
    expect(send(add, replayOf({ key }))).toBe('replayed')
    // The request was rejected before the store was called, because another attempt of the click was running.
    expect(send(add, replayOf({ key: undefined }))).toBe('replayed')
    expect(send(add, replayOf({ key: undefined, isUnknown: false }))).toBe('claimed')
  })

  it('continues a click whose outcome is unknown, under the same key', () => {
    const { run, wait, begin, send } = createDocument()
    const { key } = run(add, 'unknown')
    wait(dayMs - minute)
    expect(send(add, replayOf({ key }))).toBe('store_unavailable 60')
    expect(begin(add, { ...honours, ...replayOf({ key }) }).key).toBe(key)
  })

  it.each([
    ['an unknown outcome', 'unknown'],
    ['a success', 'succeeded'],
  ] as const)('rejects a click after %s is forgotten', (_, outcome) => {
    const { run, wait, send } = createDocument()
    const { key } = run(add, outcome)
    wait(dayMs)
    expect(send(add, { ...honours, ...replayOf({ key }) })).toBe(forgotten)
    expect(send(add, honours)).toBe('claimed')
  })

  it.each<[string, typeof add, Partial<Replay>, string]>([
    ['in its window', add, transactional, 'claimed'],
    ['in its window, in a ledger', add, { ageMs: 50_000 }, forgotten],
    ['after its window', add, { ...transactional, ageMs: 2 * minute }, forgotten],
    ['if the clock was set back', add, { ...transactional, ageMs: -1 }, forgotten],
    ['with a name, in a day', named, { ...transactional, ageMs: dayMs - minute }, 'claimed'],
    ['with a name, after a day', named, { ...transactional, ageMs: dayMs }, forgotten],
  ])('of a change that is not stored %s: %s', (_, one, changes, expected) => {
    expect(createDocument().send(one, replayOf(changes))).toBe(expected)
  })

  it('rejects a click that a later change may have deleted', () => {
    const { run, wait, send } = createDocument()
    run(add)
    run(undo)
    wait(minute)
    run(undo)
    expect(send(add, replayOf(transactional))).toBe(forgotten)
  })
})
