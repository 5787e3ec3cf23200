import { CurrentSubscription, type Product } from '@storeport/core'
import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { arrange, newItems, perform, readSubscription, swapLine, undoAdd } from '../steps/customers.ts'
import { clickBetween } from '../steps/changes.ts'

const { should } = about('item ids')

/** What names an item of a subscription. */
export const requirements: Requirements = {
  'ITEM-1': should(
    'A product that `listProducts` names is, once added, an item of that id.',
    'The id of a row is sent. The caller compares the ids of items with those of `listProducts` to find what a subscriber may swap: where they differ, it cannot offer a swap.',
  ),
  'ITEM-2': should(
    'An item keeps its id when a second line of its product, one-time or recurring, comes or goes.',
    'A line has the id of its product only as long as there is no second one. The caller cannot offer a swap of a line whose id has changed since it was shown.',
  ),
  'ITEM-3': should(
    'An item that has the id of its product has that of the new one after a swap; the old id is 404 `item_not_found`.',
    'The line keeps the id that it was made with. The caller takes it for the old product, and offers the wrong swaps.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** What names an item: nothing else works otherwise where a shop has ids of its own. */
export const checks: readonly Check[] = define(common, {
  'addProduct.names-the-item-by-its-product': {
    title: 'A listed product that is added is an item with the id that `listProducts` has.',
    requirements: ['ITEM-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const { id, title } = newProduct()
      await perform(t, 'addProduct', { email, product_id: id, one_time: false }, 'ADD-1')
      const reply = await t.call('getSubscription', { email })
      const after = t.data(reply, CurrentSubscription, 'SUBSCRIPTION-1')
      const added = newItems(before, after).find((item) => item.title === title)
      await undoAdd(t, email, id)
      t.equal(added?.id, id, `the id of the item that product ${id} became`, reply)
    },
  },
  'addProduct.renames-no-item': {
    title: 'The id of an item stays the same while a second line of its product, one-time or recurring, is there.',
    requirements: ['ITEM-2'],
    needs: [...needs, 'delaySubscription'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const owned = ownedProduct()
      const recurring = { title: owned.item.title, quantity: owned.item.quantity }
      const besideOneTime = await besideTwin(t, email, owned.product, recurring, true)

      const product = newProduct()
      await perform(t, 'addProduct', { email, product_id: product.id, quantity: 2, one_time: true }, 'ADD-3')
      const [line = t.spent('the add is no line of its own')] = newItems(before, await readSubscription(t, email))
      const besideRecurring = await besideTwin(t, email, product, { title: line.title, quantity: 2 }, false)
      await clickBetween(t, email)
      await undoAdd(t, email, product.id)

      const { id } = owned.item
      t.equal(besideOneTime, [id, id], 'the id of a recurring item, with a one-time line and after')
      t.equal(besideRecurring, [line.id, line.id], 'the id of a one-time line, with a recurring item and after')
    },
  },
  'swapProduct.names-the-item-by-the-new-product': {
    title:
      'Where items have the ids of their products, a swapped item has that of the new one, and the old one is none.',
    requirements: ['ITEM-3', 'SWAP-3'],
    needs: ['listProducts', 'getSubscription', 'delaySubscription', 'swapProduct'],
    async run(t) {
      const { email, newProduct, ownedProduct } = await arrange(t)
      const { item, place, product } = ownedProduct()
      if (item.id !== product.id) t.skip('the items of this shop have ids of their own')
      const target = newProduct()
      const swap = { email, current_item_id: item.id, new_product_id: target.id }
      await perform(t, 'swapProduct', swap, 'SWAP-1')
      const swapped = (await readSubscription(t, email)).items[place]
      // Not the repeat of a click: something else was changed since. Where the old id is still known, nothing changes.
      await clickBetween(t, email)
      const again = await t.call('swapProduct', swap)
      await swapLine(t, email, swapped, product)
      t.equal(swapped?.id, target.id, `the id of item ${place + 1} after the swap`)
      t.refused(again, 'item_not_found')
    },
  },
})

/** The id of a line while its product has a second line, of the other kind, and after that is gone; recognised by its quantity. */
async function besideTwin(
  t: CheckContext,
  email: string,
  { id: product_id }: Product,
  line: Pick<CurrentSubscription['items'][number], 'title' | 'quantity'>,
  one_time: boolean,
): Promise<readonly (string | undefined)[]> {
  const idNow = async () => {
    const { items } = await readSubscription(t, email)
    return items.find(({ title, quantity }) => title === line.title && quantity === line.quantity)?.id
  }
  await perform(t, 'addProduct', { email, product_id, quantity: line.quantity + 1, one_time }, 'ADD-1')
  const beside = await idNow()
  await undoAdd(t, email, product_id)
  return [beside, await idNow()]
}
