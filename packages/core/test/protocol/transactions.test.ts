import { describe, expect, it } from 'vitest'
import { type StoredClicks } from '@storeport/core'
import { PendingClick } from '../../src/retries/pending-click.ts'
import type { ClickNames } from '../../src/retries/ledger.ts'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, toClaim, createDocument, named, undo } from './document.ts'

describe('PendingClick.plan', () => {
  const pendingOf = (attempt: string, one: ClickNames) =>
    new PendingClick({
      click: { ...one, customer: 'customer' },
      request: toClaim(attempt, one),
      commitBy: 0,
      waitedMs: () => 0,
    })

  /** Simulates a transaction that commits the customer's document and the named document together. */
  function transaction(stored: readonly (readonly [string, StoredClicks])[] = []) {
    const documents = new Map(stored)
    const keep = (one: ClickNames, attempt: string) => {
      const pending = pendingOf(attempt, one)
      const { customer, named: name = '' } = pending
      const kept = pending.plan({ customer: documents.get(customer), named: documents.get(name) }, 10 * dayMs)
      const commit = () => {
        for (const { key, document: after } of kept.writes) documents.set(key, after)
      }
      return { state: kept.state, commit }
    }
    return { keep, documents }
  }

  it('ends the window of an earlier success when a named change succeeds (decision 35)', () => {
    const { keep } = transaction()
    keep(undo, '1').commit()
    keep(named, '2').commit()
    expect([keep(undo, '3').state, keep(named, '4').state]).toEqual(['run', 'replayed'])
  })

  it("preserves the customer's other clicks if a claim is repeated (decision 25)", () => {
    const customer = createDocument()
    const held = customer.begin(add)
    customer.run(undo)
    const { keep, documents } = transaction([['customer', customer.read() ?? { v: 0 }]])
    const kept = keep(add, held.attempt)
    kept.commit()
    customer.forget(documents.get('customer'))
    expect([kept.state, customer.send(add), customer.send(undo)]).toEqual(['run', 'replayed', 'replayed'])
  })

  it('rejects a click with Retry-After 5 while another attempt is running (decision 14)', () => {
    for (const [one, code] of [
      [named, 'request_in_progress'],
      [add, 'store_unavailable'],
    ] as const) {
      const gate = createDocument()
      gate.begin(one)
      const documents = one === named ? { named: gate.read() } : { customer: gate.read() }
      expect(() => pendingOf('other', one).plan(documents, gate.clock.now)).toThrow(
        expect.objectContaining({ code, retryAfter: 5 }),
      )
    }
  })
})
