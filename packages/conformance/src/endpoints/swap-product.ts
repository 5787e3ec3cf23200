import { isDeepStrictEqual } from 'node:util'
import { type Check, type CheckContext, define, onceInAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  arranged,
  customerOf,
  expectDone,
  expectReduced,
  linesOf,
  newItems,
  perform,
  readProducts,
  readSubscription,
  reductionOf,
  shareOf,
  swapLine,
  swapSharedLine,
  titlesOf,
  toMinor,
  undoAdd,
} from '../shop/customers.ts'
import {
  add,
  example,
  invalidCodes,
  leastUsedCustomer,
  percentageOf,
  rejects,
  shows,
  soldOut,
  swapTo,
  undo,
} from './examples.ts'
import { makeOtherChange, makeAnotherCurrent, undoAll } from '../shop/changes.ts'
import { named } from '../shop/repeats.ts'

const { must, should } = about('swapping')
const discounts = about('discounts')

export const requirements: Requirements = {
  'SWAP-1': must('A swap replaces the named item with the new product.', 'The old product remains in the order.'),
  'SWAP-2': should(
    'After a swap, the item has the new product and its price. The quantity and the position stay the same.',
    'The item has the old price, or a different quantity or position.',
  ),
  'SWAP-3': should(
    'Swapping an item that is not in the current subscription returns 404 `item_not_found`.',
    'The swap returns success, or adds the new product.',
  ),
  'SWAP-4': should(
    'A swap to an unknown product returns 404 `product_not_found`. A swap to a sold-out product returns 400 `product_unavailable`.',
    'The new product is stored without a lookup, or its stock is not checked.',
  ),
  'SWAP-5': should(
    'A swap to a product that is already an item of the same kind (recurring or one-time) merges both items. The merged item has the id and position of the existing item.',
    'Two lines of the same product remain.',
  ),
  'SWAP-6': should(
    'A swap to the same product changes nothing, also with a discount code.',
    'A swap to the same product merges the item with itself, uses the discount code, or returns an error.',
  ),
  'SWAP-7': should('A one-time line remains one-time when it is swapped.', 'The swapped line becomes recurring.'),
  'SWAP-8': discounts.should(
    "A swap with a percentage code reduces the next order by that percentage of the line's total price after the swap.",
    'The swap ignores the code.',
  ),
  'SWAP-9': discounts.should(
    'A swap with an unknown or expired code returns 400 `invalid_discount_code` and changes nothing.',
    'An invalid code is ignored, and the item is swapped without a discount.',
  ),
  'SWAP-10': should(
    'A swap for a customer without an active subscription returns 404 `subscription_not_found`.',
    'The swap returns success, although the customer has no subscription.',
  ),
  'SWAP-11': should(
    "A swap changes only the customer's current subscription, even if other subscriptions have a line with the same id.",
    'Lines are updated only by id, and lines of the same product share an id.',
  ),
  'SWAP-12': should(
    'If an item has the images of its product, a swapped item has the images of the new product.',
    'The images are copied to the line when it is added, and a swap does not replace them.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'swapProduct'] as const
const needsAdd = [...needs, 'addProduct', 'undoAddProduct'] as const

export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'swapProduct.replaces-an-item': {
    title:
      'A swap changes the item to the new product and its price. The quantity, the position and the other items stay the same.',
    requirements: ['SWAP-1', 'SWAP-2', 'JSON-2', 'MONEY-2', 'SWAP-12'],
    layer: 'wire',
    needs: ['listProducts', 'getSubscription', 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      const target = newProduct()
      expectDone(t, await t.call('swapProduct', { email, current_item_id: item.id, new_product_id: target.id }))
      const after = await readSubscription(t, email)
      const titles = titlesOf(after.items)
      const isReplaced = titles.includes(target.title) && !titles.includes(item.title)
      t.ok(isReplaced, 'the new product instead of the old product')
      const swapped = after.items[place]
      const expected = { title: target.title, price: target.price, quantity: item.quantity }
      t.equal(linesOf(after.items)[place], expected, `item ${place + 1}`, 'SWAP-2')
      t.equal(after.items.toSpliced(place, 1), before.items.toSpliced(place, 1), 'the other items', 'SWAP-2')
      t.equal(after.next_billing_date, before.next_billing_date, 'next_billing_date', 'SWAP-2')
      const hasOwnImages = isDeepStrictEqual(item.images, product.images)
      if (hasOwnImages) t.equal(swapped?.images, target.images, `the images of item ${place + 1}`, 'SWAP-12')
      await swapLine(t, email, swapped, product)
      const { items } = await readSubscription(t, email)
      t.equal(titlesOf(items), titlesOf(before.items), 'the products after the reverse swap')
    },
  },
  'swapProduct.ignores-a-swap-to-the-same-product': tests(['SWAP-6', 'SWAP-9'], async (t) => {
    const { email, before, ownedProduct } = await arrange(t)
    const { item, product } = ownedProduct()
    // Prevents the shop from treating this request as a repeat of a swap in an earlier check.
    await makeOtherChange(t, email)
    const swap = { email, current_item_id: item.id, new_product_id: product.id }
    await perform(t, 'swapProduct', swap)
    t.equal(await readSubscription(t, email), before, 'the subscription')
    const { percentage, unknown } = t.profile.discounts
    if (percentage === undefined) return
    await perform(t, 'swapProduct', { ...swap, discount_code: percentage.code })
    t.equal(await readSubscription(t, email), before, 'the subscription after a swap with a discount code')
    t.rejected(await t.call('swapProduct', { ...swap, discount_code: unknown }), 'invalid_discount_code', 'SWAP-9')
  }),
  'swapProduct.merges-items-of-one-product': {
    requirements: ['SWAP-5'],
    needs: needsAdd,
    run: example([add('fresh', { quantity: 2 }), swapTo('fresh', 'owned'), shows({ owned: 2 }, 'SWAP-5')]),
  },
  'swapProduct.keeps-one-time-items-separate': {
    requirements: ['SWAP-7', 'SWAP-5'],
    needs: needsAdd,
    run: example(
      [
        add('fresh', { quantity: 2, one_time: true }),
        swapTo('fresh', 'owned'),
        shows({ once: { owned: 2 } }, 'SWAP-7'),
        add('owned', { quantity: 2, one_time: true }),
        shows({ once: { owned: 4 } }, 'SWAP-7'),
        undo('owned'),
        shows({ once: { owned: 2 } }, 'SWAP-7'),
      ],
      leastUsedCustomer,
    ),
  },
  'swapProduct.rejects-unknown-items': tests(['SWAP-3', 'STATE-2'], async (t) => {
    const { email, products } = await arrange(t)
    const { delayed, current } = await makeAnotherCurrent(t)
    const new_product_id = products[0]?.id ?? t.skipUsed('the product list is empty')
    const isItem = (id: string) => current.items.some((item) => item.id === id)
    const elsewhere = delayed.items.map(({ id }) => id)
    const others = [...elsewhere, ...products.map(({ id }) => id), 'no-such-item', '0', '__proto__']
    for (const current_item_id of others.filter((id) => !isItem(id))) {
      t.rejected(await t.call('swapProduct', { email, current_item_id, new_product_id }), 'item_not_found')
    }
    t.equal(await readSubscription(t, email), current, 'the current subscription', 'STATE-2')
    const back = await makeAnotherCurrent(t)
    t.equal(back.current, delayed, 'the other subscription', 'STATE-2')
  }),
  'swapProduct.changes-no-other-subscription': tests(['SWAP-11'], async (t) => {
    const products = await readProducts(t)
    const { email, delayed } = await makeAnotherCurrent(t)
    await swapSharedLine(t, email, arranged(t, email, delayed, products).ownedProduct().product)
    t.equal((await makeAnotherCurrent(t)).current, delayed, 'the other subscription')
  }),
  'swapProduct.rejects-invalid-requests': {
    needs: ['swapProduct', 'getSubscription', 'listProducts'],
    ...rejects('swapProduct', [
      ['CUSTOMER-1', 'customer_not_found', 'unknown', (t) => swapsTo(t)],
      ['CUSTOMER-2', 'item_not_found', 'subscribed', foreignSwaps],
      ['SWAP-10', 'subscription_not_found', 'empty', (t) => swapsTo(t)],
      ['SWAP-4', 'product_not_found', 'subscribed', (t) => swapsTo(t, t.profile.products.unknown, '__proto__')],
      ['SWAP-4', 'product_unavailable', 'subscribed', (t) => swapsTo(t, soldOut(t))],
      ['SWAP-9', 'invalid_discount_code', 'subscribed', swapsWithInvalidCodes],
    ]),
  },
  'swapProduct.subtracts-a-percentage': tests(['SWAP-8', 'FIELD-11'], async (t) => {
    const { email, before, newProduct, ownedProduct } = await arrange(t)
    const { code, discount } = percentageOf(t)
    const { item, place, product } = ownedProduct()
    const target = newProduct()
    const swap = { email, current_item_id: item.id, new_product_id: target.id, discount_code: code }
    const key = named()
    t.accepted(await t.call('swapProduct', swap, key))
    const after = await readSubscription(t, email)
    // The code of an earlier swap can apply to units of the replaced item.
    const most = (before.order_discount_total ?? 0) > 0 ? item.quantity : 0
    const amounts = Array.from({ length: most + 1 }, (_, units) =>
      shareOf(discount, target.price * item.quantity - item.price * units),
    )
    const distance = (amount: number) => Math.abs(reductionOf(t, after, before) - toMinor(t, amount))
    const [amount = 0] = amounts.toSorted((one, other) => distance(one) - distance(other))
    expectReduced(t, after, amount, before)
    t.equal(after.items[place]?.price, target.price, "the item's price", 'ADD-12')
    // Other checks report a repeat that is rejected.
    await t.call('swapProduct', swap, key)
    const repeated = await readSubscription(t, email)
    t.equal(repeated.order_discount_total, after.order_discount_total, 'the discount after a repeat')
    await makeOtherChange(t, email)
    await swapLine(t, email, after.items[place], product)
  }),
  'swapProduct.rejects-an-invalid-swap-of-a-one-time-line': {
    title:
      'A swap of a one-time line with an unknown or expired code, to a product that does not exist or is sold out, or to a line that would exceed the maximum quantity, is rejected and changes nothing.',
    requirements: ['SWAP-9', 'SWAP-4', 'FIELD-8', 'STATE-2'],
    needs: needsAdd,
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const [one, { product: other }] = [newProduct(), ownedProduct()]
      const { products, discounts: codes, maxQuantity } = t.profile
      await perform(t, 'addProduct', { email, product_id: one.id, quantity: 2, one_time: true }, 'ADD-3')
      const [line] = newItems(before, await readSubscription(t, email))
      const swap = { email, current_item_id: line?.id, new_product_id: other.id }
      for (const [value, field, code, id] of [
        [codes.unknown, 'discount_code', 'invalid_discount_code', 'SWAP-9'],
        [codes.expired, 'discount_code', 'invalid_discount_code', 'SWAP-9'],
        [products.unknown, 'new_product_id', 'product_not_found', 'SWAP-4'],
        [products.unavailable, 'new_product_id', 'product_unavailable', 'SWAP-4'],
      ] as const)
        if (value !== undefined) t.rejected(await t.call('swapProduct', { ...swap, [field]: value }), code, id)
      const most = { email, product_id: other.id, quantity: maxQuantity - 1, one_time: true }
      if ((await t.call('addProduct', most)).status < 400) {
        t.rejected(await t.call('swapProduct', swap), 'invalid_request', 'FIELD-8')
        await undoAdd(t, email, other.id)
      }
      await undoAll(t, email, [one.id])
      t.equal(await readSubscription(t, email), before, 'the subscription after the undo', 'UNDO-2')
    },
  },
})

/** Returns swaps of an item that does not exist and of another customer's items. */
async function foreignSwaps(t: CheckContext) {
  const { before, newProduct } = await arrange(t)
  const { items } = await readSubscription(t, customerOf(t, 'otherCustomer'))
  const foreign = items.map(({ id }) => id).filter((id) => !before.items.some((item) => item.id === id))
  if (foreign.length === 0) t.skip('both customers have items with the same ids')
  return ['no-such-item', ...foreign].map((id) => ({ current_item_id: id, new_product_id: newProduct().id }))
}

/** Returns swaps of an item of `customers.subscribed` to products, by default to one that is not in the subscription. */
async function swapsTo(t: CheckContext, ...ids: readonly string[]) {
  const start = await arrange(t)
  const current_item_id = start.ownedProduct().item.id
  const targets = ids.length === 0 ? [start.newProduct().id] : ids
  return targets.map((new_product_id) => ({ current_item_id, new_product_id }))
}

/** Returns swaps to a new product and to the same product, each with the codes that the shop must reject. */
async function swapsWithInvalidCodes(t: CheckContext) {
  const start = await arrange(t)
  const swaps = await swapsTo(t, start.newProduct().id, start.ownedProduct().product.id)
  return swaps.flatMap((swap) => invalidCodes(t, swap))
}
