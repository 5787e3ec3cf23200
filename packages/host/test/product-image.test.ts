import { seed } from '@storeport/rules'
import { expect, it } from 'vitest'
import { productImage } from '../src/index.ts'

it('there is a picture of every product of the seed, and of nothing else', () => {
  for (const { id } of seed('2026-01-01').products) expect(productImage(id), id).toMatch(/^<svg /)
  expect(productImage('toString')).toBeUndefined()
})
