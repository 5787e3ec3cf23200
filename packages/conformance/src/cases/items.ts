import type { SubscriptionItem } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { arrange, newItems, perform, readSubscription, swapLine, undoAdd } from '../shop/customers.ts'
import { makeOtherChange } from '../shop/changes.ts'
import { add, example, undo } from '../endpoints/examples.ts'

const { should } = about('item ids')

export const requirements: Requirements = {
  'ITEM-1': should(
    "After a product from `listProducts` is added, the new item has the product's id.",
    'The item id is the id of a database row. The email platform compares item ids with product ids and cannot offer a swap if the ids differ.',
  ),
  'ITEM-2': should(
    'An item keeps its id when a second line of its product, one-time or recurring, is added or removed.',
    "A line has its product's id only while no second line exists. The email platform cannot offer a swap of a line whose id has changed.",
  ),
  'ITEM-3': should(
    "If an item has its product's id, a swap changes the item id to the new product's id. A swap with the old id then returns 404 `item_not_found`.",
    'The line keeps its original id, so the email platform treats the line as the old product and offers the wrong swaps.',
  ),
  'ITEM-4': should(
    'The items keep their sequence and images. A change moves no item that it does not name.',
    'The items are read without a sort order, so the database returns an updated row last.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

/** Checks of item ids. All other checks also work with shops whose item ids are not product ids. */
export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'addProduct.uses-the-product-id-for-the-item': {
    requirements: ['ITEM-1'],
    run: example([
      add('fresh', { one_time: false }),
      async ({ t, email, before, product }) => {
        const { id, title } = product('fresh')
        const added = newItems(before, await readSubscription(t, email)).find((item) => item.title === title)
        t.equal(added?.id, id, `the id of the item for product ${id}`)
      },
      undo('fresh'),
    ]),
  },
  'addProduct.keeps-the-id-of-an-item': {
    requirements: ['ITEM-2'],
    needs: [...needs, 'delaySubscription'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const owned = ownedProduct()
      await expectSameId(t, email, owned.item, owned.product.id, true)
      const { id: product_id } = newProduct()
      await perform(t, 'addProduct', { email, product_id, quantity: 2, one_time: true }, 'ADD-3')
      const [line = t.skipUsed('no separate line was added')] = newItems(before, await readSubscription(t, email))
      await expectSameId(t, email, line, product_id, false)
      await makeOtherChange(t, email)
      await undoAdd(t, email, product_id)
    },
  },
  'swapProduct.uses-the-new-product-id-for-the-item': {
    requirements: ['ITEM-3', 'SWAP-3'],
    needs: ['listProducts', 'getSubscription', 'delaySubscription', 'swapProduct'],
    async run(t) {
      const { email, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      if (item.id !== product.id) t.skip("the items in this shop do not have their products' ids")
      const target = newProduct()
      const swap = { email, current_item_id: item.id, new_product_id: target.id }
      await perform(t, 'swapProduct', swap, 'SWAP-1')
      const swapped = (await readSubscription(t, email)).items[place]
      // Prevents the shop from treating the second swap as a repeat. If the old id still exists, the second swap
      // replaces the product with itself.
      await makeOtherChange(t, email)
      const again = await t.call('swapProduct', swap)
      await swapLine(t, email, swapped, product)
      t.equal(swapped?.id, target.id, `the id of item ${place + 1} after the swap`)
      t.rejected(again, 'item_not_found')
    },
  },
})

/** Adds a second line of a product, then removes it. Expects the first line, known by its quantity, to keep its id. */
async function expectSameId(
  t: CheckContext,
  email: string,
  { id, title, quantity }: SubscriptionItem,
  product_id: string,
  one_time: boolean,
): Promise<void> {
  const expectId = async (when: string) => {
    const { items } = await readSubscription(t, email)
    const line = items.find((item) => item.title === title && item.quantity === quantity)
    t.equal(line?.id, id, `the id of the ${one_time ? 'recurring item' : 'one-time line'} ${when}`)
  }
  await perform(t, 'addProduct', { email, product_id, quantity: quantity + 1, one_time }, 'ADD-1')
  await expectId('beside a second line of its product')
  await undoAdd(t, email, product_id)
  await expectId('after the removal of the second line')
}
