import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toMajor, toMinor, calculatePart } from '../../src/shop/money.ts'

it.each([0, 2, 3, 4])('converts to major units with %i decimals and back without loss', (digits) => {
  const written = digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(\\.\\d{1,${digits}})?$`)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (minor) => {
      const sent = JSON.stringify(toMajor(minor, digits))
      expect(sent).toMatch(written)
      expect(toMinor(JSON.parse(sent), digits)).toBe(minor)
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
])('calculates %i × %d = %i, rounded half up', (amount, ratio, part) => {
  expect(calculatePart(amount, ratio)).toBe(part)
})

it('rounds large amounts correctly', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (amount, millionths) => {
        const twiceTheError =
          2n *
          (BigInt(calculatePart(amount, millionths / 1_000_000)) * 1_000_000n - BigInt(amount) * BigInt(millionths))
        expect(twiceTheError > -1_000_000n && twiceTheError <= 1_000_000n).toBe(true)
      },
    ),
  )
})

it.each([
  [1050, 33.33333333, 350],
  [300_000, 12.3456789, 37_037],
  [10_000, 0.075, 8],
  [5, 10, 1],
  [1e6, 1e-7, 0],
])('calculates %i × %d %% = %i, rounded once', (amount, percentage, part) => {
  expect(calculatePart(amount, percentage, 100)).toBe(part)
})

it('rounds percentages with many decimals correctly', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000_000_000 }),
      fc.integer({ min: 0, max: 10_000_000_000 }),
      (amount, ofHundredMillion) => {
        const whole = 10_000_000_000n
        const part = BigInt(calculatePart(amount, ofHundredMillion / 100_000_000, 100))
        const twiceTheError = 2n * (part * whole - BigInt(amount) * BigInt(ofHundredMillion))
        expect(twiceTheError > -whole && twiceTheError <= whole).toBe(true)
      },
    ),
  )
})
