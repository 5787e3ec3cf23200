import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toMajor, toMinor, takePart } from '../../src/shop/money.ts'

it('goes to minor units and back without a loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (minor) => {
      expect(toMinor(toMajor(minor))).toBe(minor)
      expect(String(toMajor(minor))).toMatch(/^\d+(\.\d{1,2})?$/)
    }),
  )
})

it.each([
  [1010, 0.05, 51],
  [7975, 0.08, 638],
  [150, 0.07, 11],
  [1, 0.5, 1],
  [1, 0.49, 0],
  [0, 0.2, 0],
  [115, 0.1, 12],
  [2995, 1, 2995],
  [1995, 0.333333, 665],
])('%i times %d is %i, half a minor unit upwards', (amount, ratio, part) => {
  expect(takePart(amount, ratio)).toBe(part)
})

it('is exact for large amounts: within half a minor unit of the true value', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (amount, millionths) => {
        const twiceTheError =
          2n * (BigInt(takePart(amount, millionths / 1_000_000)) * 1_000_000n - BigInt(amount) * BigInt(millionths))
        expect(twiceTheError > -1_000_000n && twiceTheError <= 1_000_000n).toBe(true)
      },
    ),
  )
})
