import { seed } from '@storeport/rules'
import { expect, it } from 'vitest'
import { productImage } from '../src/index.ts'

it('returns an image for every seed product and for no other id', () => {
  for (const { id } of seed('2026-01-01').products) expect(productImage(id), id).toMatch(/^<svg /)
  expect(productImage('toString')).toBeUndefined()
})
