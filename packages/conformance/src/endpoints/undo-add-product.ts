import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import {
  arrange,
  expectDone,
  newItems,
  perform,
  readProducts,
  readSubscription,
  swapLine,
  titlesOf,
  unitsOf,
} from '../shop/customers.ts'
import type { Reply } from '../http/reply.ts'
import { makeOtherChange, makeAnotherCurrent } from '../shop/changes.ts'

const { must, should } = about('undoing')

export const requirements: Requirements = {
  'UNDO-1': must(
    'An undo removes the added product.',
    'The response is sent before the change, or the wrong id is looked up.',
  ),
  'UNDO-2': should(
    'An undo removes exactly the most recent addition that has not been undone. Units from before that addition stay.',
    'The whole line is removed, including earlier units, or only one unit is removed instead of the added quantity.',
  ),
  'UNDO-3': should(
    'An undo returns 404 `product_not_in_order` if the product was not added, or the addition was already undone.',
    'An undo of a product that was not added returns success, or removes something else.',
  ),
  'UNDO-4': should(
    'An undo applies to the subscription that the product was added to, even if another subscription has become current.',
    'The shop searches only the subscription that is current at the time of the undo.',
  ),
  'UNDO-5': should(
    'An addition cannot be undone after its order has shipped or its item was swapped.',
    'The shop does not mark an addition as final when its order is created or its item is swapped.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

export const checks: readonly Check[] = define(common, {
  'undoAddProduct.restores-the-subscription': {
    title:
      'Adding a product and undoing the addition restores the subscription, for new, existing and one-time products.',
    requirements: ['UNDO-1', 'UNDO-2', 'JSON-2'],
    layer: 'wire',
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      for (const product of [newProduct(), ownedProduct().product]) {
        for (const one_time of [false, true]) {
          await perform(t, 'addProduct', { email, product_id: product.id, quantity: 2, one_time }, 'ADD-1')
          expectDone(t, await t.call('undoAddProduct', { email, product_id: product.id }))
          const after = await readSubscription(t, email)
          t.equal(unitsOf(after), unitsOf(before), 'total units')
          t.equal(after, before, 'the subscription', 'UNDO-2')
        }
      }
    },
  },
  'undoAddProduct.undoes-the-most-recent-add': {
    title:
      'After a product is added twice, the first undo removes the second addition, and the second undo removes the first addition. A third undo is rejected.',
    requirements: ['UNDO-2', 'UNDO-3'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      const product_id = product.id
      const quantity = async () => (await readSubscription(t, email)).items.find(({ id }) => id === item.id)?.quantity
      await perform(t, 'addProduct', { email, product_id, quantity: 2 }, 'ADD-1')
      await perform(t, 'addProduct', { email, product_id, quantity: 3 }, 'ADD-1')
      t.equal(await quantity(), item.quantity + 5, 'the quantity after both additions', 'ADD-2')
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await quantity(), item.quantity + 2, 'the quantity after one undo')
      await makeOtherChange(t, email)
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription after both undos')
      await makeOtherChange(t, email)
      t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      t.equal(await readSubscription(t, email), before, 'the subscription after the rejected undo')
    },
  },
  'undoAddProduct.undoes-many-adds': {
    title: 'If a product is added twelve times, twelve undos restore the subscription.',
    requirements: ['UNDO-2', 'UNDO-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      const headers = () => ({ 'Idempotency-Key': crypto.randomUUID() })
      let added = 0
      // A shop may limit the quantity of a product.
      while (added < 12 && (await t.call('addProduct', { email, product_id }, { headers: headers() })).status === 200)
        added += 1
      const more = unitsOf(await readSubscription(t, email)) - unitsOf(before)
      const replies: Reply[] = []
      for (let undone = 0; undone < added; undone++)
        replies.push(await t.call('undoAddProduct', { email, product_id }, { headers: headers() }))
      t.equal(more, added, 'the number of added units', 'ADD-1')
      for (const reply of replies) t.accepted(reply, 'UNDO-2')
      t.equal(await readSubscription(t, email), before, 'the subscription after all undos')
    },
  },
  'undoAddProduct.undoes-only-added-products': {
    title:
      'An undo of a product that the customer did not add, or that does not exist, returns 404 `product_not_in_order`.',
    requirements: ['UNDO-3', 'UNDO-2', 'STATE-2'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { product } = ownedProduct()
      for (const product_id of [product.id, newProduct().id, t.profile.products.unknown]) {
        await makeOtherChange(t, email)
        t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'undoAddProduct.undoes-the-named-product': {
    title: 'After two products are added, an undo removes the requested product, even if it was added first.',
    requirements: ['UNDO-2'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const first = newProduct()
      const second = ownedProduct().product
      await perform(t, 'addProduct', { email, product_id: first.id }, 'ADD-1')
      const between = await readSubscription(t, email)
      await perform(t, 'addProduct', { email, product_id: second.id, quantity: 2 }, 'ADD-1')
      await perform(t, 'undoAddProduct', { email, product_id: first.id })
      const titles = titlesOf((await readSubscription(t, email)).items)
      t.ok(!titles.includes(first.title), 'the first added product to be removed')
      await perform(t, 'undoAddProduct', { email, product_id: second.id })
      t.equal(await readSubscription(t, email), before, 'the subscription after both undos')
      t.ok(between.items.length > before.items.length, 'the first added product to be a new item', 'ADD-1')
    },
  },
  'undoAddProduct.follows-its-add': {
    title:
      'An undo applies to the subscription that the product was added to, even if another subscription has become current.',
    requirements: ['UNDO-4', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      await perform(t, 'addProduct', { email, product_id }, 'ADD-1')
      const passed = await makeAnotherCurrent(t).finally(async () => {
        await perform(t, 'undoAddProduct', { email, product_id })
      })
      t.equal(await readSubscription(t, email), passed.current, 'the subscription that is current now')
      const back = await makeAnotherCurrent(t)
      t.equal(back.current.items, before.items, 'the items of the subscription that the product was added to')
    },
  },
  'undoAddProduct.rejects-a-product-that-was-swapped': {
    title: 'An addition cannot be undone after the added product is swapped for another product.',
    requirements: ['UNDO-5'],
    needs: [...needs, 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const added = newProduct()
      const { product: owned, item } = ownedProduct()
      await perform(t, 'addProduct', { email, product_id: added.id }, 'ADD-1')
      const [line] = newItems(before, await readSubscription(t, email))
      if (line === undefined) t.skipUsed('no separate item was added')
      await swapLine(t, email, line, owned)
      const swapped = await readSubscription(t, email)
      for (const product_id of [added.id, owned.id]) {
        await makeOtherChange(t, email)
        t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order')
      }
      t.equal(await readSubscription(t, email), swapped, 'the subscription', 'STATE-2')
      const joined = swapped.items.find(({ id }) => id === item.id)
      t.equal(joined?.quantity, item.quantity + 1, "the merged item's quantity", 'SWAP-5')
    },
  },
  'undoAddProduct.repeats-add-and-undo': {
    title: 'Adding a product, undoing the addition and adding the product again are three separate changes.',
    requirements: ['RETRY-2', 'UNDO-1', 'ADD-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      for (let round = 0; round < 3; round++) {
        await perform(t, 'addProduct', { email, product_id })
        t.equal(newItems(before, await readSubscription(t, email)).length, 1, 'the number of new items')
        await perform(t, 'undoAddProduct', { email, product_id })
        t.equal(await readSubscription(t, email), before, 'the subscription')
      }
    },
  },
  'undoAddProduct.succeeds-after-a-rejection': {
    title: 'A rejected undo succeeds if it is repeated after the product is added.',
    requirements: ['RETRY-3'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      await makeOtherChange(t, email)
      t.rejected(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      await perform(t, 'addProduct', { email, product_id }, 'ADD-1')
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'undoAddProduct.rejects-unknown-customers': {
    title: 'An undo for an unknown customer returns 404 `customer_not_found`, even if the product exists.',
    requirements: ['CUSTOMER-1'],
    mode: 'read-only',
    needs: ['undoAddProduct', 'listProducts'],
    async run(t) {
      const email = t.profile.customers.unknown
      for (const product_id of [(await readProducts(t))[0]?.id ?? 'x', t.profile.products.unknown]) {
        t.rejected(await t.call('undoAddProduct', { email, product_id }), 'customer_not_found')
      }
    },
  },
})
