import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toMinor, calculatePart } from '@storeport/core'
import { toMajor } from '../../src/shop/shop.ts'

const anyAmount = fc.integer({ min: 0, max: 100_000_000_000 })

it.each([0, 2, 3, 4])('converts to major units with %i decimals and back without loss', (digits) => {
  const written = digits === 0 ? /^\d+$/ : new RegExp(`^\\d+(\\.\\d{1,${digits}})?$`)
  fc.assert(
    fc.property(anyAmount, (minor) => {
      const sent = JSON.stringify(toMajor(minor, digits))
      expect(sent).toMatch(written)
      expect(toMinor(JSON.parse(sent), digits)).toBe(minor)
    }),
  )
})

it.each([
  [1010, 0.05, 1, 51],
  [150, 0.07, 1, 11],
  [1, 0.5, 1, 1],
  [1, 0.49, 1, 0],
  [1050, 33.33333333, 100, 350],
  [10_000, 0.075, 100, 8],
  [1e6, 1e-7, 100, 0],
])('calculates %i × %d ÷ %i = %i, rounded half up', (amount, ratio, of, part) => {
  expect(calculatePart(amount, ratio, of)).toBe(part)
})

it.each([
  [1_000_000, 1],
  [10_000_000_000, 100],
])('rounds large amounts correctly, for ratios in units of 1 ÷ %i', (whole, of) => {
  fc.assert(
    fc.property(anyAmount, fc.integer({ min: 0, max: whole }), (amount, units) => {
      const part = BigInt(calculatePart(amount, units / (whole / of), of))
      const twiceTheError = 2n * (part * BigInt(whole) - BigInt(amount) * BigInt(units))
      expect(twiceTheError > -BigInt(whole) && twiceTheError <= BigInt(whole)).toBe(true)
    }),
  )
})
