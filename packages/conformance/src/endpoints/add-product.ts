import { contentOf } from '../engine/changes.ts'
import { type Check, type Common, define } from '../engine/check.ts'
import { errorCodeOf } from '../engine/expectations.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  customerOf,
  expectDone,
  expectReduced,
  findSubscription,
  fixedCode,
  linesOf,
  reductionOf,
  newItems,
  perform,
  quantitiesOf,
  readSubscription,
  shareOf,
  toMinor,
  undoAdd,
  unitsOf,
} from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'
import { post } from '../shop/inputs.ts'

const { must, should } = about('adding')
const discounts = about('discounts')

export const requirements: Requirements = {
  'ADD-1': must(
    "The product is added to the customer's order in the requested quantity.",
    'The quantity is ignored, or the response is sent before the change is stored.',
  ),
  'ADD-2': should(
    "Without `one_time`, adding a product that is already in the subscription increases the item's quantity.",
    'A second line is created, or the quantity is replaced instead of increased.',
  ),
  'ADD-3': must(
    'With `one_time: true`, the product is added only to the next billing cycle.',
    'The flag is ignored, so every order contains the product.',
  ),
  'ADD-4': should(
    'With `one_time: true`, the product gets a separate line with its own id.',
    'The one-time quantity is added to the recurring item, so the two cannot be distinguished.',
  ),
  'ADD-5': should(
    'A one-time line is removed after its order is created.',
    'One-time lines are not removed when their order is created.',
  ),
  'ADD-6': should(
    'For a customer without an active subscription, adding a product without `one_time` immediately creates a one-off order. The order can be undone.',
    'The request is rejected, or creates a subscription.',
  ),
  'ADD-7': should(
    'For a customer without an active subscription, a request with `one_time: true` returns 404 `subscription_not_found`.',
    'The shop assumes that a customer without a subscription has a next billing cycle.',
  ),
  'ADD-8': should(
    'Adding an unknown product returns 404 `product_not_found`.',
    'The product id is stored without a lookup.',
  ),
  'ADD-9': should(
    'Adding a sold-out product returns 400 `product_unavailable`.',
    'The stock is not checked before the product is added.',
  ),
  'ADD-10': discounts.should(
    'Adding a product with a percentage code reduces the next order by that percentage of the added amount.',
    'The percentage applies to the whole order, to one unit, to every order, or not at all.',
  ),
  'ADD-11': discounts.should(
    'A fixed-amount code reduces the next order by its amount once, regardless of the quantity and of the number of additions with the code.',
    'The amount is deducted for each unit or for each addition.',
  ),
  'ADD-12': discounts.should(
    "A discount code does not change the item's price. The discount is part of `order_discount_total`.",
    "The item's price is also reduced, so the discount is shown twice.",
  ),
  'ADD-13': discounts.should(
    'An addProduct request with an unknown, expired or used-up code returns 400 `invalid_discount_code` and changes nothing.',
    'An invalid code is ignored, and the product is added without a discount.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

export const checks: readonly Check[] = define(common, {
  'addProduct.adds-a-new-product': {
    title: "Adding a new product creates an item with the product's price and the requested quantity.",
    requirements: ['ADD-1', 'JSON-2', 'MONEY-2'],
    layer: 'wire',
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product = newProduct()
      expectDone(t, await t.call('addProduct', { email, product_id: product.id, quantity: 2 }))
      const after = await readSubscription(t, email)
      const added = newItems(before, after)
      t.equal(linesOf(added), [{ title: product.title, price: product.price, quantity: 2 }], 'the new items')
      t.equal(after.items.slice(0, before.items.length), before.items, 'the existing items')
      t.equal(after.next_billing_date, before.next_billing_date, 'next_billing_date')
      t.equal(after.order_discount_total ?? 0, before.order_discount_total ?? 0, 'order_discount_total')
      await undoAdd(t, email, product.id)
    },
  },
  'addProduct.raises-the-quantity-of-an-item': {
    title: "Without `one_time`, adding a product that is already in the subscription increases the item's quantity.",
    requirements: ['ADD-2', 'ADD-1'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      await perform(t, 'addProduct', { email, product_id: product.id, quantity: 3 }, 'ADD-1')
      const after = await readSubscription(t, email)
      t.equal(unitsOf(after), unitsOf(before) + 3, 'total units', 'ADD-1')
      const expected = before.items.map((other) =>
        other.id === item.id ? { ...item, quantity: item.quantity + 3 } : other,
      )
      t.equal(after.items, expected, 'the items')
      await undoAdd(t, email, product.id)
    },
  },
  'addProduct.adds-1-without-a-quantity': {
    title:
      'If the quantity is missing or `null`, one unit is added. By default, the new item is recurring. Fields in the query are ignored.',
    requirements: ['FIELD-9', 'FIELD-10', 'FIELD-4', 'BODY-11'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      const more = { quantity: null, one_time: null, discount_code: null }
      for (const optional of [{}, more, { one_time: false }]) {
        await perform(t, 'addProduct', { email, product_id: product.id, ...optional })
        const after = await readSubscription(t, email)
        const same = after.items.find(({ id }) => id === item.id)
        t.equal(same?.quantity, item.quantity + 1, "the item's quantity")
        t.equal(unitsOf(after), unitsOf(before) + 1, 'total units')
        await undoAdd(t, email, product.id)
      }
      const body = JSON.stringify({ email, product_id: product.id })
      t.accepted(await post(t, 'addProduct', body, 'application/json', '?quantity=3&one_time=true'), 'BODY-11')
      const { items } = await readSubscription(t, email)
      await undoAdd(t, email, product.id)
      const expected = before.items.map((one) => (one === item ? { ...one, quantity: one.quantity + 1 } : one))
      t.equal(
        quantitiesOf(items),
        quantitiesOf(expected),
        'the items after an addition with fields in the query',
        'BODY-11',
      )
    },
  },
  'addProduct.adds-to-the-next-order-only': {
    title:
      'Adding a product with `one_time: true` creates a separate line, even if the subscription already contains the product.',
    requirements: ['ADD-3', 'ADD-4', 'FIELD-10'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      for (const product of [newProduct(), ownedProduct().product]) {
        await perform(t, 'addProduct', { email, product_id: product.id, quantity: 2, one_time: true })
        const after = await readSubscription(t, email)
        const added = newItems(before, after)
        const expected = { title: product.title, price: product.price, quantity: 2 }
        t.equal(linesOf(added), [expected], 'the new lines', 'ADD-4')
        const kept = after.items.filter((item) => !added.includes(item)).map(contentOf)
        t.equal(kept, before.items.map(contentOf), 'the existing items', 'ADD-4')
        await undoAdd(t, email, product.id)
      }
    },
  },
  'addProduct.rejects-an-unavailable-product': {
    title:
      'Adding an unknown product returns 404 `product_not_found`. Adding a sold-out product returns 400 `product_unavailable`.',
    requirements: ['ADD-8', 'ADD-9', 'STATE-2'],
    needs: ['addProduct', 'getSubscription'],
    async run(t) {
      const email = customerOf(t, 'subscribed')
      const before = await readSubscription(t, email)
      for (const product_id of [t.profile.products.unknown, '__proto__', 'constructor']) {
        t.rejected(await t.call('addProduct', { email, product_id }), 'product_not_found', 'ADD-8')
      }
      const product_id = t.need(t.profile.products.unavailable, 'products.unavailable')
      for (const one_time of [false, true]) {
        t.rejected(await t.call('addProduct', { email, product_id, one_time }), 'product_unavailable', 'ADD-9')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription', 'STATE-2')
    },
  },
  'addProduct.rejects-unknown-customers': {
    title: 'Adding any product for an unknown customer returns 404 `customer_not_found`.',
    requirements: ['CUSTOMER-1'],
    mode: 'read-only',
    needs: ['addProduct', 'listProducts'],
    async run(t) {
      const email = t.profile.customers.unknown
      const { listed, unknown, unavailable = unknown } = t.profile.products
      for (const product_id of [unknown, listed[0]?.id ?? unknown, unavailable]) {
        t.rejected(await t.call('addProduct', { email, product_id }), 'customer_not_found')
      }
    },
  },
  'addProduct.creates-an-order-without-a-subscription': {
    title:
      'For a customer without a subscription, adding a product without `one_time` creates a one-off order, not a subscription. The order can be undone once.',
    requirements: ['ADD-6', 'UNDO-1', 'UNDO-3'],
    async run(t) {
      const email = customerOf(t, 'empty')
      const [one, other] = t.profile.products.listed
      const product_id = t.need(one, 'products.listed').id
      const other_id = t.need(other, 'second product in products.listed').id
      await perform(t, 'addProduct', { email, product_id, quantity: 2 })
      await perform(t, 'addProduct', { email, product_id: other_id })
      t.equal(await findSubscription(t, email), undefined, "the customer's subscription after both requests")
      await undoAdd(t, email, product_id)
      await undoAdd(t, email, other_id)
      t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
    },
  },
  'addProduct.rejects-a-one-time-add-without-a-subscription': {
    title:
      'For a customer without a subscription, a request with `one_time: true` returns 404 `subscription_not_found`.',
    requirements: ['ADD-7'],
    needs: ['addProduct'],
    async run(t) {
      const email = customerOf(t, 'empty')
      const product_id = t.need(t.profile.products.listed[0], 'products.listed').id
      t.rejected(await t.call('addProduct', { email, product_id, one_time: true }), 'subscription_not_found')
    },
  },
  'addProduct.limits-the-resulting-quantity': {
    title:
      'If two addProduct requests together exceed the maximum quantity of a recurring or one-time line, the second request is rejected and changes nothing.',
    requirements: ['FIELD-8', 'STATE-2'],
    needs: [...needs, 'delaySubscription'],
    async run(t) {
      const { email, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      const { maxQuantity } = t.profile
      for (const line of [{ quantity: maxQuantity - item.quantity }, { quantity: maxQuantity, one_time: true }]) {
        const add = { email, product_id: product.id, ...line }
        await perform(t, 'addProduct', add)
        try {
          const full = await readSubscription(t, email)
          await makeOtherChange(t, email)
          t.rejected(await t.call('addProduct', { ...add, quantity: 1 }), 'invalid_request')
          t.equal(await readSubscription(t, email), full, 'the subscription', 'STATE-2')
        } finally {
          // Undoes the addition, since a line with the maximum quantity would make other checks fail.
          await t.call('undoAddProduct', { email, product_id: product.id })
        }
      }
    },
  },
  'addProduct.subtracts-a-percentage': {
    title:
      'Adding a product with a percentage code reduces the next order by that percentage of the added amount. An undo removes the reduction.',
    requirements: ['ADD-10', 'ADD-12', 'FIELD-11', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const [added, owned] = [newProduct(), ownedProduct()]
      const prices = new Map([
        [added, added.price],
        [owned.product, owned.item.price],
      ])
      for (const [product, price] of prices) {
        await perform(t, 'addProduct', { email, product_id: product.id, quantity: 2, discount_code: code })
        const after = await readSubscription(t, email)
        expectReduced(t, after, shareOf(discount, price * 2), before)
        const item = after.items.find(({ title }) => title === product.title)
        t.equal(item?.price, price, "the item's price", 'ADD-12')
        await undoAdd(t, email, product.id)
        t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
      }
    },
  },
  'addProduct.subtracts-a-percentage-of-many-units': {
    title: 'A percentage code reduces the next order correctly if hundreds of units are added.',
    requirements: ['ADD-10', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct()
      const quantity = Math.min(t.profile.maxQuantity, 900)
      const reply = await t.call('addProduct', { email, product_id: product.id, quantity, discount_code: code })
      if (errorCodeOf(reply) === 'product_unavailable') t.skip(`the shop does not have ${quantity} units of a product`)
      t.accepted(reply)
      expectReduced(t, await readSubscription(t, email), shareOf(discount, product.price * quantity), before)
      await undoAdd(t, email, product.id)
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
    },
  },
  'addProduct.subtracts-a-fixed-amount-once': {
    title: 'Adding a product with a fixed-amount code reduces the next order by that amount, once for all units.',
    requirements: ['ADD-11', 'FIELD-11'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, amount } = fixedCode(t)
      const product = newProduct()
      await perform(t, 'addProduct', { email, product_id: product.id, quantity: 3, discount_code: code })
      const after = await readSubscription(t, email)
      t.equal(reductionOf(t, after, before), Math.round(toMinor(t, amount)), 'the discount in minor units')
      await undoAdd(t, email, product.id)
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
    },
  },
  'addProduct.accepts-a-code-in-any-letter-case': {
    title:
      'A discount code for a one-time product reduces the next order, even if the code is lowercase and surrounded by spaces. An undo removes the reduction.',
    requirements: ['DISCOUNT-5', 'ADD-10', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const product = newProduct()
      const input = { email, product_id: product.id, one_time: true, discount_code: ` ${code.toLowerCase()} ` }
      await perform(t, 'addProduct', input)
      expectReduced(t, await readSubscription(t, email), shareOf(discount, product.price), before)
      await undoAdd(t, email, product.id)
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
    },
  },
  'addProduct.rejects-an-invalid-code': {
    title:
      'An addProduct request with an unknown or expired code returns 400 `invalid_discount_code` and adds nothing.',
    requirements: ['ADD-13', 'STATE-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      const expired = t.need(t.profile.discounts.expired, 'discounts.expired')
      // Some languages treat '0' as an empty string.
      for (const discount_code of [t.profile.discounts.unknown, expired, '__proto__', '0']) {
        for (const one_time of [false, true]) {
          t.rejected(
            await t.call('addProduct', { email, product_id, discount_code, one_time }),
            'invalid_discount_code',
          )
        }
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
      const empty = customerOf(t, 'empty')
      const input = { email: empty, product_id, discount_code: expired }
      t.rejected(await t.call('addProduct', input), 'invalid_discount_code')
    },
  },
})
