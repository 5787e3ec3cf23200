import { Discount, endpoints } from '@storeport/core'
import { expect, it } from 'vitest'
import { unknownFields } from '../../src/wire/answers.ts'

it('finds what a schema does not name, at any depth', () => {
  const item = { id: 'a', title: 'A', price: 1, images: [], quantity: 1, description: 'x', sku: 'y' }
  const data = { next_billing_date: '2026-11-21', items: [item], constructor: 1 }
  expect(unknownFields(endpoints.getSubscription.output, data, 'data')).toEqual(['data.items.sku', 'data.constructor'])
  expect(unknownFields(endpoints.listProducts.output, { products: [], next: 2 }, 'data')).toEqual(['data.next'])
})

it('knows the fields of every form of a union', () => {
  expect(unknownFields(Discount, { discount_type: 'fixed_amount', discount_amount: 5, code: 'X' }, 'data')).toEqual([
    'data.code',
  ])
})
