import { dateIn } from '@storeport/core'
import { contextOf } from '@storeport/testing/clicks'
import { stripeStore } from '@storeport/store-stripe'
import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { markKey, readMarks, withoutOldest, writeMark } from '../src/account/mark.ts'
import { instantOn } from '../src/operations/context.ts'
import { onlyTaxRate } from '../src/operations/read-operations.ts'

describe('a mark', () => {
  it('is parsed to the written values, and other metadata is ignored', () => {
    const mark = {
      sequence: 3,
      at: 1_773_133_200,
      fingerprint: 'ab',
      product: 'a&b=c é~',
      quantity: 2,
      due: 9,
      closed: true,
    }
    const key = markKey(contextOf().idempotencyKey)
    expect(key).toMatch(/^storeport_[0-9a-f]{30}$/)
    const metadata = { [key]: writeMark(mark), note: 'n=1', [markKey('x')]: 'changed by hand', storeport_sent: '1' }
    expect(readMarks({ id: 'sub_1', metadata })).toEqual([
      { ...mark, key, holder: 'sub_1', promotion: undefined, deletes: undefined },
    ])
    expect(readMarks({ id: 'ii_1', metadata: null })).toEqual([])
  })

  it('is at most 500 characters long, even with the longest product id', () => {
    const product = 'é'.repeat(40).padEnd(120, 'p')
    const mark = {
      sequence: 99_999,
      at: 1e10,
      fingerprint: 'f'.repeat(40),
      product,
      quantity: 1000,
      promotion: 'promo_'.padEnd(30, '1'),
      due: 1e10,
    }
    expect(writeMark(mark).length).toBeLessThanOrEqual(500)
  })

  it("replaces the oldest mark, and more marks if the merchant's metadata needs the space", () => {
    const marks = Object.fromEntries(
      Array.from({ length: 40 }, (_, sequence) => [markKey(`${sequence}`), writeMark({ sequence, at: 0 })]),
    )
    expect(withoutOldest({ id: 'sub_1', metadata: marks })).toEqual({ [markKey('0')]: '' })
    const own = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`own${index}`, 'x']))
    const room = withoutOldest({ id: 'sub_1', metadata: { ...own, ...marks } })
    expect(Object.keys(room)).toHaveLength(39)
    expect(withoutOldest({ id: 'sub_1', metadata: own })).toEqual({})
  })

  it('of an add that can be undone is replaced last, but the newest ten marks stay', () => {
    const add = writeMark({ sequence: 0, at: 0, product: 'p', quantity: 1 })
    const closed = writeMark({ sequence: 1, at: 0, product: 'p', quantity: 1, closed: true })
    const others = Array.from({ length: 38 }, (_, index) => [
      markKey(`${index + 2}`),
      writeMark({ sequence: index + 2, at: 0 }),
    ])
    const metadata = { [markKey('0')]: add, [markKey('1')]: closed, ...Object.fromEntries(others) }
    expect(withoutOldest({ id: 'sub_1', metadata })).toEqual({ [markKey('1')]: '' })
    const adds = Array.from({ length: 30 }, (_, index) => [
      markKey(`${index}`),
      writeMark({ sequence: index, at: 0, product: 'p', quantity: 1 }),
    ])
    const full = { ...Object.fromEntries(others.slice(-10)), ...Object.fromEntries(adds) }
    expect(withoutOldest({ id: 'sub_1', metadata: full })).toEqual({ [markKey('0')]: '' })
  })
})

describe('instantOn', () => {
  it.each(['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Australia/Lord_Howe', 'Europe/Dublin'])(
    'returns an instant on the given date for any time of day: %s',
    (zone) => {
      const toDay = dateIn(zone)
      const dayOf = (seconds: number) => toDay(new Date(seconds * 1000))
      const start = Date.parse('2026-03-10T00:00:00Z') / 1000
      for (let minutes = 0; minutes < 24 * 60; minutes += 29) {
        for (const date of ['2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2028-02-29']) {
          expect(dayOf(instantOn(date, start + minutes * 60, dayOf))).toBe(date)
        }
      }
    },
  )
})

describe('onlyTaxRate', () => {
  const rate = (id: string, percentage: number) => ({ id, percentage, inclusive: false })
  const line = (...ids: string[]) => ({
    parent: { invoice_item_details: {} },
    taxes: ids.map((tax_rate) => ({ tax_rate_details: { tax_rate } })),
  })
  const subscription = { default_tax_rates: [rate('eight', 8)], items: { data: [{ tax_rates: [] }] } }

  it.each([
    ['the default rate', [line('eight')], 0.08],
    ['no taxes in the preview', [{ ...line(), taxes: null }], 0.08],
    ['no rate', [line()], undefined],
    ['a rate that no item has', [line('other')], undefined],
    ['a subscription item, which has no invoice item', [{ ...line(), parent: null }], 0.08],
  ])('compares one-time lines with the subscription: %s', (_, lines, expected) => {
    // oxlint-disable-next-line typescript/consistent-type-assertions -- only the fields that the function reads
    const call = [subscription, lines] as unknown as Parameters<typeof onlyTaxRate>
    expect(onlyTaxRate(...call)).toBe(expected)
  })
})

describe('stripeStore', () => {
  const stripe = new Stripe('sk_test_nobody')
  it.each([
    [{ currency: 'usd' }, 'currency: must be an ISO 4217 code'],
    [{ currency: 'KWD' }, 'currency: KWD is not supported'],
    [{ currency: 'UGX' }, 'currency: UGX is not supported'],
    [{ timeoutMs: 0 }, 'timeoutMs: must be an integer of at least 1'],
    [{ maxDelayDays: 1.5 }, 'maxDelayDays: must be an integer'],
    [{ maxQuantity: Number.NaN }, 'maxQuantity: must be'],
    [{ timeZone: 'Mars/Olympus' }, 'Mars/Olympus'],
  ])('rejects invalid options: %o', (options, message) => {
    expect(() => stripeStore(stripe, options)).toThrow(message)
  })

  it('accepts a currency without decimals', () => expect(stripeStore(stripe, { currency: 'JPY' }).currency).toBe('JPY'))
})
