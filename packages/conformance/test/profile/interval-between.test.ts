import { expect, it } from 'vitest'
import { intervalBetween } from '../../src/cli/check-shop.ts'

it.each([
  ['2026-11-22', '2026-12-22', { months: 1 }],
  ['2026-01-31', '2026-03-31', { months: 2 }],
  ['2024-01-31', '2024-02-29', { months: 1 }],
  ['2026-11-22', '2026-11-29', { weeks: 1 }],
  ['2026-11-22', '2027-01-03', { weeks: 6 }],
  // Both fit.
  ['2026-02-10', '2026-03-10', undefined],
  ['2026-11-22', '2026-12-02', undefined],
  ['2026-11-22', '2026-11-22', undefined],
  ['2026-11-22', '2026-10-22', undefined],
])('from %s to %s', (from, to, interval) => {
  expect(intervalBetween(from, to)).toEqual(interval)
})
