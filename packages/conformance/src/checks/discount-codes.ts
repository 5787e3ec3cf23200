import type { Check } from '../engine/check.ts'
import { arrange, newProduct, ownedProduct } from '../steps/arrange.ts'
import { clickBetween } from '../steps/click-between.ts'
import { expectLowered, shareOf } from '../steps/lowered.ts'
import { discountOf, readSubscription } from '../steps/read.ts'

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

/** What a discount code does to the next order. */
export const discountCodes: readonly Check[] = [
  {
    id: 'addProduct.takes-a-percentage-off',
    title: 'A percentage code lowers the next order by that share of what was added, and the undo raises it again.',
    requirements: ['ADD-10', 'ADD-12', 'FIELD-11', 'UNDO-2'],
    mode: 'write',
    needs,
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const added = newProduct(t, start)
      const owned = ownedProduct(t, start)
      for (const { product, price } of [
        { product: added, price: added.price },
        { product: owned.product, price: owned.item.price },
      ]) {
        const input = { email, product_id: product.id, quantity: 2, discount_code: code }
        t.accepted(await t.call('addProduct', input))
        const after = await readSubscription(t, email)
        expectLowered(t, before, after, shareOf(discount, price * 2))
        const item = after.items.find(({ title }) => title === product.title)
        t.equal(item?.price, price, 'the price of the item', undefined, 'ADD-12')
        t.accepted(await t.call('undoAddProduct', { email, product_id: product.id }), 'UNDO-1')
        t.equal(await readSubscription(t, email), before, 'the subscription after the undo', undefined, 'UNDO-2')
      }
    },
  },
  {
    id: 'addProduct.takes-a-fixed-amount-off-once',
    title: 'A fixed code lowers the next order by its amount, once for all units.',
    requirements: ['ADD-11', 'FIELD-11'],
    mode: 'write',
    needs,
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const { code, discount } = t.need(t.profile.discounts.fixed, 'discounts.fixed')
      const amount = discount.discount_type === 'fixed_amount' ? Math.round(discount.discount_amount * 100) : 0
      const product = newProduct(t, start)
      t.accepted(await t.call('addProduct', { email, product_id: product.id, quantity: 3, discount_code: code }))
      const after = await readSubscription(t, email)
      t.equal(discountOf(after) - discountOf(before), amount, 'the discount in cents')
      t.accepted(await t.call('undoAddProduct', { email, product_id: product.id }), 'UNDO-1')
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', undefined, 'UNDO-2')
    },
  },
  {
    id: 'addProduct.takes-a-code-in-any-letters',
    title: 'A code in lower case with space around it lowers the next order, a one-time line as well.',
    requirements: ['DISCOUNT-5', 'ADD-10'],
    mode: 'write',
    needs,
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct(t, start)
      const input = { email, product_id: product.id, one_time: true, discount_code: ` ${code.toLowerCase()} ` }
      t.accepted(await t.call('addProduct', input))
      expectLowered(t, before, await readSubscription(t, email), shareOf(discount, product.price))
      t.accepted(await t.call('undoAddProduct', { email, product_id: product.id }), 'UNDO-1')
    },
  },
  {
    id: 'addProduct.refuses-a-bad-code',
    title: 'An unknown or expired code is 400 `invalid_discount_code` and nothing is added.',
    requirements: ['ADD-13', 'STATE-2'],
    mode: 'write',
    needs,
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const product_id = newProduct(t, start).id
      const expired = t.need(t.profile.discounts.expired, 'discounts.expired')
      for (const discount_code of [t.profile.discounts.unknown, expired, '__proto__']) {
        for (const one_time of [false, true]) {
          const input = { email, product_id, discount_code, one_time }
          t.refused(await t.call('addProduct', input), 'invalid_discount_code')
        }
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
      const empty = t.need(t.profile.customers.empty, 'customers.empty')
      const input = { email: empty, product_id, discount_code: expired }
      t.refused(await t.call('addProduct', input), 'invalid_discount_code')
    },
  },
  {
    id: 'swapProduct.takes-a-percentage-off',
    title: 'A percentage code lowers the next order by that share of the swapped line.',
    requirements: ['SWAP-8', 'FIELD-11'],
    mode: 'write',
    needs: [...needs, 'swapProduct'],
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const { item, place, product } = ownedProduct(t, start)
      const target = newProduct(t, start)
      const swap = { email, current_item_id: item.id, new_product_id: target.id, discount_code: code }
      t.accepted(await t.call('swapProduct', swap))
      const after = await readSubscription(t, email)
      expectLowered(t, before, after, shareOf(discount, target.price * item.quantity))
      t.equal(after.items[place]?.price, target.price, 'the price of the item', undefined, 'ADD-12')
      await clickBetween(t, email)
      const back = { email, current_item_id: after.items[place]?.id, new_product_id: product.id }
      t.accepted(await t.call('swapProduct', back), 'SWAP-1')
    },
  },
  {
    id: 'swapProduct.refuses-a-bad-code',
    title: 'A swap with an unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    requirements: ['SWAP-9', 'STATE-2'],
    mode: 'write',
    needs: ['swapProduct', 'getSubscription', 'listProducts'],
    async run(t) {
      const start = await arrange(t)
      const { email, before } = start
      const { item } = ownedProduct(t, start)
      const expired = t.need(t.profile.discounts.expired, 'discounts.expired')
      for (const discount_code of [t.profile.discounts.unknown, expired]) {
        const swap = { email, current_item_id: item.id, new_product_id: newProduct(t, start).id, discount_code }
        t.refused(await t.call('swapProduct', swap), 'invalid_discount_code')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
]
