import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  arranged,
  customerOf,
  expectDone,
  expectLowered,
  linesOf,
  newItems,
  perform,
  readProducts,
  readSubscription,
  shareOf,
  swapLine,
  swapSharedLine,
  titlesOf,
} from '../steps/customers.ts'
import { clickBetween, passTheFirst } from '../steps/changes.ts'

const { must, should } = about('swapping')
const discounts = about('discounts')

/** Swapping an item for another product. */
export const requirements: Requirements = {
  'SWAP-1': must(
    'The named item is replaced by the new product.',
    'The new product is added and the old one kept, or another item than the named one is replaced.',
  ),
  'SWAP-2': should(
    'The item takes the new product at its price; quantity and place are kept.',
    'Quantity, price or place of the old item are carried over wrongly.',
  ),
  'SWAP-3': should(
    'An item that the current subscription does not have is 404 `item_not_found`.',
    'An unknown item is answered as a success, or the product is added.',
  ),
  'SWAP-4': should(
    'An unknown product is 404 `product_not_found`, one that is sold out 400 `product_unavailable`.',
    'The new product is stored without being looked up, or its stock is not looked at.',
  ),
  'SWAP-5': should(
    'A swap into a product that is already an item of the same kind joins the two under that id and place.',
    'Two lines of one product are left.',
  ),
  'SWAP-6': should(
    'A swap into the same product changes nothing.',
    'A swap into itself joins the item with itself, or is an error.',
  ),
  'SWAP-7': should('A one-time line stays one-time when it is swapped.', 'The swapped line becomes a recurring one.'),
  'SWAP-8': discounts.should(
    'A percentage code lowers the next order by that share of the swapped line.',
    'The code is not looked at in a swap.',
  ),
  'SWAP-9': discounts.should(
    'An unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    'A code that is not valid is ignored, and the swap made without it.',
  ),
  'SWAP-10': should(
    'A customer without an active subscription is 404 `subscription_not_found`.',
    'A customer without a subscription is answered as a success.',
  ),
  'SWAP-11': should(
    'A swap changes the current subscription of its customer alone, also where others have a line of that id.',
    'Lines are changed by their id alone, and that of a product is the id of every line of it.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'swapProduct'] as const
const needsAdd = [...needs, 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** Replacing an item by another product. */
export const checks: readonly Check[] = define(common, {
  'swapProduct.replaces-an-item': {
    title: 'The item becomes the new product at its price; quantity and place are kept, the other items stay.',
    requirements: ['SWAP-1', 'SWAP-2', 'JSON-2', 'MONEY-2'],
    layer: 'wire',
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      expectDone(t, await t.call('swapProduct', { email, current_item_id: item.id, new_product_id: target.id }))
      const after = await readSubscription(t, email)
      const titles = titlesOf(after.items)
      const isReplaced = titles.includes(target.title) && !titles.includes(item.title)
      t.that(isReplaced, 'the new product in place of the old one')
      const swapped = after.items[place]
      const expected = { title: target.title, price: target.price, quantity: item.quantity }
      t.equal(linesOf(after.items)[place], expected, `item ${place + 1}`, 'SWAP-2')
      t.equal(after.items.toSpliced(place, 1), before.items.toSpliced(place, 1), 'the other items', 'SWAP-2')
      t.equal(after.next_billing_date, before.next_billing_date, 'next_billing_date', 'SWAP-2')
      await swapLine(t, email, swapped, product)
      const { items } = await readSubscription(t, email)
      t.equal(titlesOf(items), titlesOf(before.items), 'the products after the swap back')
    },
  },
  'swapProduct.changes-nothing-into-itself': {
    title: 'A swap of an item into its own product is a success that changes nothing.',
    requirements: ['SWAP-6'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      // The swap back of another check may have been the same call: then this one would count as its repeat.
      await clickBetween(t, email)
      await perform(t, 'swapProduct', { email, current_item_id: item.id, new_product_id: product.id })
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'swapProduct.joins-items-of-one-product': {
    title: 'A swap into a product that is an item already adds the quantity to that item, at its place.',
    requirements: ['SWAP-5'],
    needs: needsAdd,
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const added = newProduct()
      const { item, product } = ownedProduct()
      await perform(t, 'addProduct', { email, product_id: added.id, quantity: 2 }, 'ADD-1')
      const [line] = newItems(before, await readSubscription(t, email))
      const current_item_id = line?.id ?? t.spent('the add is no item of its own')
      await perform(t, 'swapProduct', { email, current_item_id, new_product_id: product.id })
      const expected = before.items.map((other) =>
        other.id === item.id ? { ...item, quantity: item.quantity + 2 } : other,
      )
      t.equal((await readSubscription(t, email)).items, expected, 'the items')
    },
  },
  'swapProduct.refuses-what-cannot-be-ordered': {
    title: 'An unknown product is 404 `product_not_found`, one that is sold out 400 `product_unavailable`.',
    requirements: ['SWAP-4', 'STATE-2'],
    needs: ['swapProduct', 'getSubscription', 'listProducts'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item } = ownedProduct()
      const unavailable = t.need(t.profile.products.unavailable, 'products.unavailable')
      const swap = { email, current_item_id: item.id }
      for (const new_product_id of [t.profile.products.unknown, '__proto__']) {
        t.refused(await t.call('swapProduct', { ...swap, new_product_id }), 'product_not_found')
      }
      t.refused(await t.call('swapProduct', { ...swap, new_product_id: unavailable }), 'product_unavailable')
      t.equal(await readSubscription(t, email), before, 'the subscription', 'STATE-2')
    },
  },
  'swapProduct.knows-its-items': {
    title:
      'An id that no item of the current subscription has, also of a product or an item elsewhere, is 404 `item_not_found`.',
    requirements: ['SWAP-3', 'STATE-2'],
    async run(t) {
      const { email, products } = await arrange(t)
      const { delayed, current } = await passTheFirst(t)
      const new_product_id = products[0]?.id ?? t.spent('the list of products is empty')
      const isItem = (id: string) => current.items.some((item) => item.id === id)
      const elsewhere = delayed.items.map(({ id }) => id)
      const others = [...elsewhere, ...products.map(({ id }) => id), 'no-such-item', '0', '__proto__']
      for (const current_item_id of others.filter((id) => !isItem(id))) {
        t.refused(await t.call('swapProduct', { email, current_item_id, new_product_id }), 'item_not_found')
      }
      t.equal(await readSubscription(t, email), current, 'the current subscription', 'STATE-2')
      const back = await passTheFirst(t)
      t.equal(back.current, delayed, 'the other subscription', 'STATE-2')
    },
  },
  'swapProduct.changes-no-other-subscription': {
    title: 'A swap of a line whose product is in another subscription of the customer too leaves that one as it is.',
    requirements: ['SWAP-11'],
    async run(t) {
      const products = await readProducts(t)
      const { email, delayed } = await passTheFirst(t)
      await swapSharedLine(t, email, arranged(t, email, delayed, products).ownedProduct().product)
      t.equal((await passTheFirst(t)).current, delayed, 'the other subscription')
    },
  },
  'swapProduct.knows-its-customers': {
    title: 'An unknown customer is 404 `customer_not_found`, one without a subscription 404 `subscription_not_found`.',
    requirements: ['SWAP-10', 'CUSTOMER-1'],
    async run(t) {
      const start = await arrange(t)
      const swap = { current_item_id: start.ownedProduct().item.id, new_product_id: start.newProduct().id }
      const stranger = await t.call('swapProduct', { email: t.profile.customers.unknown, ...swap })
      t.refused(stranger, 'customer_not_found', 'CUSTOMER-1')
      const empty = customerOf(t, 'empty')
      t.refused(await t.call('swapProduct', { email: empty, ...swap }), 'subscription_not_found')
      t.equal(await readSubscription(t, start.email), start.before, 'the subscription of somebody else', 'CUSTOMER-2')
    },
  },
  'swapProduct.takes-a-percentage-off': {
    title: 'A percentage code lowers the next order by that share of the swapped line.',
    requirements: ['SWAP-8', 'FIELD-11'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { code, discount } = t.need(t.profile.discounts.percentage, 'discounts.percentage')
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      const swap = { email, current_item_id: item.id, new_product_id: target.id, discount_code: code }
      await perform(t, 'swapProduct', swap)
      const after = await readSubscription(t, email)
      expectLowered(t, after, shareOf(discount, target.price * item.quantity), before)
      t.equal(after.items[place]?.price, target.price, 'the price of the item', 'ADD-12')
      await clickBetween(t, email)
      await swapLine(t, email, after.items[place], product)
    },
  },
  'swapProduct.refuses-a-bad-code': {
    title: 'A swap with an unknown or expired code is 400 `invalid_discount_code` and nothing changes.',
    requirements: ['SWAP-9', 'STATE-2'],
    needs: ['swapProduct', 'getSubscription', 'listProducts'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item } = ownedProduct()
      const expired = t.need(t.profile.discounts.expired, 'discounts.expired')
      for (const discount_code of [t.profile.discounts.unknown, expired]) {
        const swap = { email, current_item_id: item.id, new_product_id: newProduct().id, discount_code }
        t.refused(await t.call('swapProduct', swap), 'invalid_discount_code')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
})
