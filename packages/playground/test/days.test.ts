import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysBetween, sayDay, sayDayFrom, sayDayShort, sayMonth, weekdayOf, weeksOf } from '../page/days.ts'
import { texts } from '../page/texts.ts'

const instants = fc.date({ min: new Date('1600-01-01'), max: new Date('2400-12-31'), noInvalidDate: true })
const dateOf = (instant: Date) => instant.toISOString().slice(0, 10)

describe('days as strings', () => {
  it('are counted as the calendar of the system counts them', () => {
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        const apart = (Date.parse(dateOf(other)) - Date.parse(dateOf(one))) / 86_400_000
        expect(daysBetween(dateOf(one), dateOf(other))).toBe(apart)
      }),
    )
  })

  it('fall on the weekday of the system', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(weekdayOf(dateOf(instant))).toBe((instant.getUTCDay() + 6) % 7)
      }),
    )
  })

  it('are said as a person says them', () => {
    expect(sayDay('2026-03-24')).toBe('Tuesday, 24 March')
    expect(sayDay('2024-02-29', true)).toBe('Thursday, 29 February 2024')
    expect(sayDayShort('2026-03-10', '2026-12-01')).toBe('1 December')
    expect(sayMonth('2026-12-01')).toBe('December 2026')
  })

  it('are said with the year where it is another one', () => {
    expect(sayDayFrom('2026-12-30', '2026-12-31')).toBe('Thursday, 31 December')
    expect(sayDayFrom('2026-12-30', '2027-01-02')).toBe('Saturday, 2 January 2027')
    expect(sayDayShort('2026-12-30', '2027-01-02')).toBe('2 January 2027')
  })

  it('are told as a distance within a year alone', () => {
    const said = [-366, -365, -1, 0, 1, 14, 365, 366].map(texts.portal.inDays)
    expect(said).toEqual([null, '365 days ago', 'yesterday', 'today', 'tomorrow', 'in 14 days', 'in 365 days', null])
  })

  it('fill the weeks of a month, Monday first', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const weeks = weeksOf(dateOf(instant))
        const days = weeks.flat().filter((date) => date !== null)
        expect(weeks.length).toBeGreaterThanOrEqual(4)
        expect(weeks.length).toBeLessThanOrEqual(6)
        expect(days[0]).toMatch(/-01$/)
        expect(days).toContain(dateOf(instant))
        for (const week of weeks) {
          week.forEach((date, weekday) => date !== null && expect(weekdayOf(date)).toBe(weekday))
        }
      }),
    )
  })
})
