import { addDays, addMonths, dateIn, isDate, nextBillingDate } from '@storeport/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const dates = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9000-12-31T00:00:00Z'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10))

describe('addDays', () => {
  it('returns the same dates as Date', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -2000, max: 2000 }), (date, days) => {
        const instant = new Date(`${date}T00:00:00Z`)
        instant.setUTCDate(instant.getUTCDate() + days)
        expect(addDays(date, days)).toBe(instant.toISOString().slice(0, 10))
      }),
    )
  })

  it.each([
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-03-10', -400, '2025-02-03'],
    ['2026-03-10', 0, '2026-03-10'],
  ])('calculates %s + %i days = %s', (date, days, result) => {
    expect(addDays(date, days)).toBe(result)
  })
})

describe('addMonths', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-30', 13, '2027-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-11-30', 1, '2026-12-30'],
    ['2026-05-31', 12, '2027-05-31'],
  ])('calculates %s + %i months = %s', (date, months, result) => {
    expect(addMonths(date, months)).toBe(result)
  })

  it('returns the same day of the month, or the last day of a shorter month', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 600 }), (date, months) => {
        const later = addMonths(date, months)
        expect(isDate(later)).toBe(true)
        if (later.slice(8) !== date.slice(8)) {
          expect(later.slice(8) < date.slice(8)).toBe(true)
          expect(addDays(later, 1).slice(8)).toBe('01')
        }
        const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
        expect(index(later) - index(date)).toBe(months)
      }),
    )
  })
})

describe('nextBillingDate', () => {
  it.each([
    [{ unit: 'day', count: 3 }, '2026-03-02'],
    [{ unit: 'week', count: 2 }, '2026-03-13'],
    [{ unit: 'month', count: 2 }, '2026-04-27'],
  ] as const)('adds the interval %j: %s', (interval, next) => {
    expect(nextBillingDate('2026-02-27', interval)).toBe(next)
  })
})

describe('dateIn', () => {
  const instant = new Date('2026-03-10T02:30:00Z')

  it.each([
    ['UTC', '2026-03-10'],
    ['America/Los_Angeles', '2026-03-09'],
    ['Pacific/Kiritimati', '2026-03-10'],
    ['Asia/Tokyo', '2026-03-10'],
  ])('returns the date in the time zone %s: %s', (timeZone, date) => {
    expect(dateIn(timeZone)(instant)).toBe(date)
  })

  it('changes the date at midnight in the time zone', () => {
    const date = dateIn('Pacific/Auckland')
    expect(date(new Date('2026-03-10T10:59:59.999Z'))).toBe('2026-03-10')
    expect(date(new Date('2026-03-10T11:00:00Z'))).toBe('2026-03-11')
  })

  it('rejects an invalid time zone', () => {
    expect(() => dateIn('Mars/Olympus')).toThrow(RangeError)
  })
})

describe('isDate', () => {
  it.each(['2026-02-28', '2024-02-29', '9999-12-31'])('accepts %s', (text) => {
    expect(isDate(text)).toBe(true)
  })

  it.each([
    '2026-02-29',
    '2026-2-3',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    ' 2026-01-01',
    '2026-01-01T00:00',
    '',
    20260101,
    null,
  ])('rejects %j', (value) => {
    expect(isDate(value)).toBe(false)
  })
})
