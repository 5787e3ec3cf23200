import type { DemoState } from '../../src/protocol.ts'
import { plural } from '../texts.ts'

/** Mark of a record since the previous load. */
export type Mark = 'New' | 'Changed' | false

/**
 * Compares two versions of the shop's data. `newRuns` is the number of new action runs, which are at the start of their
 * list. `said` describes the changes.
 */
export function compareStates(before: DemoState, now: DemoState) {
  const known = [...before.orders, ...before.subscriptions, ...before.discount_uses]
  const old = new Map(known.map((record) => [record.id, JSON.stringify(record)]))
  /** Returns the mark of an order, a subscription or a discount code use. */
  const markOf = (record: { readonly id: string }): Mark => {
    const text = old.get(record.id)
    return text === undefined ? 'New' : text !== JSON.stringify(record) && 'Changed'
  }
  const newRuns = countNew(before.actions_run, now.actions_run)
  const count = (mark: Mark, records: readonly { readonly id: string }[]) =>
    records.filter((one) => markOf(one) === mark).length
  const counts = [
    [count('New', now.orders), 'new order', ''],
    [count('Changed', now.orders), 'order', ' changed'],
    [count('Changed', now.subscriptions), 'subscription', ' changed'],
    [count('New', now.discount_uses), 'code use', ''],
    [newRuns, 'action run', ''],
  ] as const
  const parts = counts.filter(([number]) => number > 0).map(([number, noun, end]) => plural(number, noun) + end)
  return { markOf, newRuns, said: parts.join(', ') || 'no changes' }
}

/** Counts the new entries at the start of a list. The lists are sorted newest first and limited in length. */
function countNew(before: readonly unknown[], now: readonly unknown[]): number {
  const old = before.map((one) => JSON.stringify(one))
  const start = now.findIndex((_, index) => now.slice(index).every((one, place) => JSON.stringify(one) === old[place]))
  return start === -1 ? now.length : start
}
