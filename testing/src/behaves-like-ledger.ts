import { describe, expect, it } from 'vitest'
import type { Click, Ledger, Outcome } from '@storeport/core'

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
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_each, index) => ledger.claim(click({ idempotencyKey: `try-${index}` }), true)),
      )
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'running')).toHaveLength(49)
    })

    it('remembers a success for as long as the click says', async () => {
      const { ledger, clock } = await opened()
      await run(ledger, click())
      clock.now += 9_999
      expect(await ledger.claim(click(), true)).toEqual({ state: 'done' })
      clock.now += 1
      expect(await ledger.claim(click(), true)).toEqual({ state: 'claimed', idempotencyKey: 'k1' })
    })

    it('lets a repeat run when another mutation of the customer has succeeded, but not a refused one or one of another customer', async () => {
      const { ledger, clock } = await opened()
      await run(ledger, click())
      await run(ledger, other({ id: 'b' }), 'refused')
      await run(ledger, other({ id: 'c', customer: 'other' }))
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'done' })
      clock.now += 1
      await run(ledger, other({ id: 'd' }))
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it.each([
      ['named', { named: true }],
      ['without a window', { doneMs: 0 }],
    ])('counts a success that is %s as one between two others', async (_, kind) => {
      const { ledger, clock } = await opened()
      await run(ledger, click({ doneMs: 600_000 }))
      clock.now += 1
      await run(ledger, other(kind))
      clock.now += 300_000
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it('keeps a named success whatever else the customer does', async () => {
      const { ledger, clock } = await opened()
      const named = click({ named: true, doneMs: 86_400_000 })
      await run(ledger, named)
      clock.now += 1
      await run(ledger, other())
      expect(await ledger.claim(named, true)).toMatchObject({ state: 'done' })
    })

    it('does not decide about a repeat while a later mutation of the customer has not ended', async () => {
      const { ledger, clock } = await opened()
      await run(ledger, click({ doneMs: 600_000 }))
      clock.now += 1
      await ledger.claim(other(), true)
      expect(await ledger.claim(click(), true)).toEqual({ state: 'undecided' })
      await ledger.settle(other(), 'unknown')
      expect(await ledger.claim(click(), true)).toEqual({ state: 'undecided' })
      clock.now += 1
      await run(ledger, other({ id: 'c' }))
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it('keeps the order in which clicks ended, when one is settled late', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      clock.now += 2000
      await run(ledger, other())
      clock.now += 1000
      await ledger.settle(click(), 'done', 2500)
      expect(await ledger.claim(other(), true)).toMatchObject({ state: 'done' })
      expect(await ledger.claim(click(), true)).toMatchObject({ state: 'claimed' })
    })

    it('forgets a refused click', async () => {
      const { ledger } = await opened()
      await run(ledger, click(), 'refused')
      expect(await ledger.claim(click({ idempotencyKey: 'k2' }), true)).toEqual({
        state: 'claimed',
        idempotencyKey: 'k2',
      })
    })

    it('answers the same to the same try again', async () => {
      const { ledger, clock } = await opened()
      const first = await ledger.claim(click(), true)
      expect(await ledger.claim(click(), true)).toEqual(first)
      await ledger.settle(click(), 'unknown')
      clock.now += 1000
      const again = click({ idempotencyKey: 'k2' })
      const second = await ledger.claim(again, true)
      expect(second).toEqual({ state: 'claimed', idempotencyKey: 'k1', firstTryMsAgo: 1000 })
      expect(await ledger.claim(again, true)).toEqual(second)
    })

    it('says that a name came with another body', async () => {
      const { ledger } = await opened()
      const named = click({ named: true })
      const reused = click({ named: true, fingerprint: 'other', idempotencyKey: 'k2' })
      await ledger.claim(named, true)
      expect(await ledger.claim(reused, true)).toEqual({ state: 'reused' })
      await ledger.settle(named, 'unknown')
      expect(await ledger.claim(reused, true)).toEqual({ state: 'reused' })
      await ledger.settle(named, 'done')
      expect(await ledger.claim(reused, true)).toEqual({ state: 'reused' })
    })

    it('lets a click of unknown outcome run again under its first key, if asked to', async () => {
      const { ledger, clock } = await opened()
      await run(ledger, click(), 'unknown')
      clock.now += 1000
      const again = click({ idempotencyKey: 'k2' })
      expect(await ledger.claim(again, false)).toEqual({
        state: 'unknown',
        firstTryMsAgo: 1000,
        forgottenInMs: 49_000,
      })
      expect(await ledger.claim(again, true)).toEqual({ state: 'claimed', idempotencyKey: 'k1', firstTryMsAgo: 1000 })
      expect(await ledger.claim(click({ idempotencyKey: 'k3' }), true)).toMatchObject({ state: 'running' })
    })

    it('never takes a success back, whichever of two tries ends first', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      clock.now += 30_000
      const again = click({ idempotencyKey: 'k2' })
      expect(await ledger.claim(again, true)).toMatchObject({ state: 'claimed', idempotencyKey: 'k1' })
      await ledger.settle(click(), 'refused')
      expect(await ledger.claim(click({ idempotencyKey: 'k3' }), true)).toMatchObject({ state: 'running' })
      await ledger.settle(click(), 'done')
      await ledger.settle(again, 'unknown')
      await ledger.settle(again, 'refused')
      expect(await ledger.claim(click({ idempotencyKey: 'k3' }), true)).toMatchObject({ state: 'done' })
    })

    it('takes a try that outlived its lease for lost: its outcome is unknown until it is forgotten', async () => {
      const { ledger, clock } = await opened()
      await ledger.claim(click(), true)
      clock.now += 30_000
      const again = click({ idempotencyKey: 'k2' })
      expect(await ledger.claim(again, false)).toMatchObject({ state: 'unknown', forgottenInMs: 20_000 })
      clock.now += 20_000
      expect(await ledger.claim(again, false)).toEqual({ state: 'claimed', idempotencyKey: 'k2' })
    })
  })
}

async function run(ledger: Ledger, which: Click, outcome: Outcome = 'done'): Promise<void> {
  await ledger.claim(which, true)
  await ledger.settle(which, outcome)
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
    clock.now += 50_000
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
    // Never waited: the clock of the test is the only one.
    arrivedAt: Number.POSITIVE_INFINITY,
    leaseMs: 30_000,
    doneMs: 10_000,
    unknownMs: 50_000,
    keptMs: 600_000,
    ...changes,
  }
}

/** Another click of the same customer. */
function other(changes: Partial<Click> = {}): Click {
  return click({ id: 'b', fingerprint: 'fp-b', idempotencyKey: 'k-b', ...changes })
}
