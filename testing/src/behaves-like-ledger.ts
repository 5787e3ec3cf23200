import { describe, expect, it } from 'vitest'
import type { Click, Ledger } from '@storeport/core'

/** A clock that a test turns by hand, in milliseconds. */
export interface Clock {
  now: number
}

/** What every ledger must do, whatever it keeps its clicks in. */
export function behavesLikeLedger(name: string, open: (clock: Clock) => Promise<Ledger>): void {
  describe(`ledger: ${name}`, () => {
    const opened = async () => {
      const clock = { now: 1_000_000 }
      return { clock, ledger: await open(clock) }
    }

    it.each(Object.entries(pasts))('lets one of 50 claims at once of a click that is %s run', async (_, become) => {
      const { ledger, clock } = await opened()
      await become(ledger, clock)
      const claims = await Promise.all(Array.from({ length: 50 }, () => ledger.claim(click(), true)))
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'running')).toHaveLength(49)
    })

    it('remembers a success for as long as the click says', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      await ledger.settle(click(), 'done')
      clock.now += 9_999
      expect(await ledger.claim(click(), true)).toEqual({ state: 'done', fingerprint: 'fp' })
      clock.now += 1
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it('forgets a success when another mutation of the customer succeeds, but not for a refused one or another customer', async () => {
      const { ledger } = await opened()
      const run = async (other: Click, outcome: 'done' | 'refused') => {
        await ledger.claim(other, true)
        await ledger.settle(other, outcome)
      }
      await run(click(), 'done')
      await run(click({ id: 'b', fingerprint: 'b' }), 'refused')
      await run(click({ id: 'c', fingerprint: 'c', customer: 'other' }), 'done')
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'done' })
      await run(click({ id: 'd', fingerprint: 'd' }), 'done')
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it('keeps a named success whatever else the customer does', async () => {
      const { ledger } = await opened()
      const named = click({ named: true, doneMs: 86_400_000 })
      await ledger.claim(named, true)
      await ledger.settle(named, 'done')
      await ledger.claim(click({ id: 'b' }), true)
      await ledger.settle(click({ id: 'b' }), 'done')
      expect(await ledger.claim(named, true)).toMatchObject({ state: 'done' })
    })

    it('forgets a refused click', async () => {
      const { ledger } = await opened()
      await ledger.claim(click(), true)
      await ledger.settle(click(), 'refused')
      expect(await ledger.claim(click({ idempotencyKey: 'k2' }), true)).toEqual({
        state: 'claimed',
        idempotencyKey: 'k2',
      })
    })

    it('runs a click of unknown outcome again under its first key, if asked to', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      await ledger.settle(click(), 'unknown')
      clock.now += 1000
      const again = click({ idempotencyKey: 'k2' })
      expect(await ledger.claim(again, false)).toEqual({ state: 'unknown', fingerprint: 'fp', forgottenInMs: 4000 })
      expect(await ledger.claim({ ...again, fingerprint: 'other' }, true)).toMatchObject({
        state: 'unknown',
        fingerprint: 'fp',
      })
      expect(await ledger.claim(again, true)).toEqual({ state: 'claimed', idempotencyKey: 'k1' })
      expect(await ledger.claim(again, true)).toMatchObject({ state: 'running' })
    })

    it('never gives a new key to a click of which a lost try ended after all', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      clock.now += 30_000
      const again = click({ idempotencyKey: 'k2' })
      expect(await ledger.claim(again, true)).toEqual({ state: 'claimed', idempotencyKey: 'k1' })
      await ledger.settle(click(), 'done')
      await ledger.settle(again, 'unknown')
      expect(await ledger.claim(click({ idempotencyKey: 'k3' }), true)).toEqual({
        state: 'claimed',
        idempotencyKey: 'k1',
      })
    })

    it('takes a try that outlived its lease for lost: its outcome is unknown', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      clock.now += 30_000
      expect(await ledger.claim(click(), false)).toEqual({ state: 'unknown', fingerprint: 'fp', forgottenInMs: 5000 })
      clock.now += 5000
      expect(await ledger.claim(click({ idempotencyKey: 'k2' }), false)).toEqual({
        state: 'claimed',
        idempotencyKey: 'k2',
      })
    })
  })
}

/** What may have become of a click before it is claimed. */
export const pasts: Readonly<Record<string, (ledger: Ledger, clock: Clock) => Promise<unknown>>> = {
  fresh: async () => {},
  expired: async (ledger, clock) => {
    await ledger.claim(click(), true)
    await ledger.settle(click(), 'done')
    clock.now += 10_000
  },
  lost: async (ledger, clock) => {
    await ledger.claim(click(), true)
    clock.now += 30_000
  },
  forgotten: async (ledger, clock) => {
    await ledger.claim(click(), true)
    clock.now += 35_000
  },
  unknown: async (ledger) => {
    await ledger.claim(click(), true)
    await ledger.settle(click(), 'unknown')
  },
}

/** A click of one customer, with whatever a test wants otherwise. */
export function click(changes: Partial<Click> = {}): Click {
  return {
    id: 'a',
    customer: 'customer',
    fingerprint: 'fp',
    named: false,
    idempotencyKey: 'k1',
    leaseMs: 30_000,
    doneMs: 10_000,
    unknownMs: 5000,
    ...changes,
  }
}
