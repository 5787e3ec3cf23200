import { addDays, addMonths, dateIn, isDate } from '@storeport/rules'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const dates = fc
  .date({ min: new Date('0100-01-01T00:00:00Z'), max: new Date('9000-12-31T00:00:00Z'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10))

describe('addDays', () => {
  it('returns the same dates as the Date object', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -2000, max: 2000 }), (date, days) => {
        const instant = new Date(`${date}T00:00:00Z`)
        instant.setUTCDate(instant.getUTCDate() + days)
        expect(addDays(date, days)).toBe(instant.toISOString().slice(0, 10))
      }),
    )
  })
})

describe('addMonths', () => {
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

describe('dateIn', () => {
  it('changes the date at midnight in the time zone', () => {
    expect(dateIn('America/Los_Angeles')(new Date('2026-03-10T02:30:00Z'))).toBe('2026-03-09')
    const date = dateIn('Pacific/Auckland')
    expect(date(new Date('2026-03-10T10:59:59.999Z'))).toBe('2026-03-10')
    expect(date(new Date('2026-03-10T11:00:00Z'))).toBe('2026-03-11')
  })

  it('rejects an invalid time zone', () => {
    expect(() => dateIn('Mars/Olympus')).toThrow(RangeError)
  })
})

it('isDate accepts only dates that exist', () => {
  for (const date of ['2026-02-28', '2024-02-29', '9999-12-31']) expect(isDate(date)).toBe(true)
  const invalid = [
    '2026-02-29',
    '2026-2-3',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    ' 2026-01-01',
    '2026-01-01T00:00',
  ]
  for (const value of [...invalid, '', 20260101, null]) expect(isDate(value)).toBe(false)
})
