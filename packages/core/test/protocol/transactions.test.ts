import { describe, expect, it } from 'vitest'
import { type StoredClicks } from '@storeport/core'
import { PendingClick } from '../../src/retries/pending-click.ts'
import type { ClickNames } from '../../src/retries/ledger.ts'
import { dayMs } from '../../src/retries/protocol.ts'
import { add, askedOf, createDocument, named, undo } from './document.ts'

describe('a store that owns the transaction', () => {
  const pendingOf = (attempt: string, one: ClickNames) =>
    new PendingClick({
      click: { ...one, customer: 'customer' },
      asked: askedOf(attempt, one),
      commitBy: 0,
      waitedMs: () => 0,
    })

  /** The documents of a customer and of a name, which a transaction commits together. */
  function transaction(stored: readonly (readonly [string, StoredClicks])[] = []) {
    const documents = new Map(stored)
    const keep = (one: ClickNames, attempt: string) => {
      const pending = pendingOf(attempt, one)
      const { customer, named: name = '' } = pending
      const kept = pending.keep({ customer: documents.get(customer), named: documents.get(name) }, 10 * dayMs)
      const commit = () => {
        for (const { key, document: after } of kept.writes) documents.set(key, after)
      }
      return { state: kept.state, commit }
    }
    return { keep, documents }
  }

  it('decision 35: a named change is between two others', () => {
    const { keep } = transaction()
    keep(undo, '1').commit()
    keep(named, '2').commit()
    expect([keep(undo, '3').state, keep(named, '4').state]).toEqual(['run', 'replayed'])
  })

  it('decision 35: a named change keeps the other clicks of the customer', () => {
    const customer = createDocument()
    customer.begin(undo)
    const { keep, documents } = transaction([['customer', customer.read() ?? { v: 0 }]])
    keep(named, '1').commit()
    customer.forget(documents.get('customer'))
    expect(customer.ask(undo)).toBe('running')
  })

  it('decision 25: a claim that the document holds already keeps the rest of it', () => {
    const customer = createDocument()
    const held = customer.begin(add)
    customer.run(undo)
    const { keep, documents } = transaction([['customer', customer.read() ?? { v: 0 }]])
    const kept = keep(add, held.attempt)
    kept.commit()
    customer.forget(documents.get('customer'))
    expect([kept.state, customer.ask(add), customer.ask(undo)]).toEqual(['run', 'replayed', 'replayed'])
  })

  it('decision 14: a click that runs elsewhere is an error, with 5 s to wait', () => {
    for (const [one, code] of [
      [named, 'request_in_progress'],
      [add, 'store_unavailable'],
    ] as const) {
      const gate = createDocument()
      gate.begin(one)
      const documents = one === named ? { named: gate.read() } : { customer: gate.read() }
      expect(() => pendingOf('other', one).keep(documents, gate.clock.now)).toThrow(
        expect.objectContaining({ code, retryAfter: 5 }),
      )
    }
  })
})
