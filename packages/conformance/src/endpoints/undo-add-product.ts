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
} from '../steps/customers.ts'
import { clickBetween, passTheFirst } from '../steps/changes.ts'

const { must, should } = about('undoing')

/** Undoing an add. */
export const requirements: Requirements = {
  'UNDO-1': must(
    'A product that was added is removed again.',
    'The undo answers before it has changed anything, or looks for the wrong id.',
  ),
  'UNDO-2': should(
    'Exactly the most recent open add is taken back: nothing that the customer already had.',
    'The whole line is removed, also what the customer had before; or one unit in place of the quantity that was added.',
  ),
  'UNDO-3': should(
    'Nothing to take back (never added, already undone) is 404 `product_not_in_order`.',
    'Nothing to take back is answered as a success, or takes something else.',
  ),
  'UNDO-4': should(
    'An undo follows its add, also when another subscription has become current since.',
    'The undo looks for the add in whichever subscription is current now.',
  ),
  'UNDO-5': should(
    'An add that was shipped or swapped away cannot be taken back.',
    'Adds are not closed when their order is made or their item swapped.',
  ),
}

const needs = ['listProducts', 'getSubscription', 'delaySubscription', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs }

/** Taking back what was added. */
export const checks: readonly Check[] = define(common, {
  'undoAddProduct.restores-the-subscription': {
    title: 'After an add and its undo the subscription is as it was, for new, owned and one-time products.',
    requirements: ['UNDO-1', 'UNDO-2', 'JSON-2'],
    layer: 'wire',
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      for (const product of [newProduct(), ownedProduct().product]) {
        for (const one_time of [false, true]) {
          await perform(t, 'addProduct', { email, product_id: product.id, quantity: 2, one_time }, 'ADD-1')
          expectDone(t, await t.call('undoAddProduct', { email, product_id: product.id }))
          const after = await readSubscription(t, email)
          t.equal(unitsOf(after), unitsOf(before), 'units in all')
          t.equal(after, before, 'the subscription', 'UNDO-2')
        }
      }
    },
  },
  'undoAddProduct.takes-back-the-most-recent-add': {
    title: 'Of two adds the second one is taken back first, then the first one, then nothing.',
    requirements: ['UNDO-2', 'UNDO-3'],
    async run(t) {
      const { email, before, ownedProduct } = await arrange(t)
      const { item, product } = ownedProduct()
      const product_id = product.id
      const quantity = async () => (await readSubscription(t, email)).items.find(({ id }) => id === item.id)?.quantity
      await perform(t, 'addProduct', { email, product_id, quantity: 2 }, 'ADD-1')
      await perform(t, 'addProduct', { email, product_id, quantity: 3 }, 'ADD-1')
      t.equal(await quantity(), item.quantity + 5, 'the quantity after both adds', 'ADD-2')
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await quantity(), item.quantity + 2, 'the quantity after one undo')
      await clickBetween(t, email)
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription after both')
      await clickBetween(t, email)
      t.refused(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      t.equal(await readSubscription(t, email), before, 'the subscription after all')
    },
  },
  'undoAddProduct.takes-back-nothing-of-before': {
    title: 'A product that the customer has but did not add, or that nobody knows, is 404 `product_not_in_order`.',
    requirements: ['UNDO-3', 'UNDO-2', 'STATE-2'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const { product } = ownedProduct()
      for (const product_id of [product.id, newProduct().id, t.profile.products.unknown]) {
        await clickBetween(t, email)
        t.refused(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      }
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'undoAddProduct.takes-back-the-named-product': {
    title: 'Of two products that were added the named one is taken back, also when it was added first.',
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
      t.that(!titles.includes(first.title), 'the product that was added first to be gone')
      await perform(t, 'undoAddProduct', { email, product_id: second.id })
      t.equal(await readSubscription(t, email), before, 'the subscription after both')
      t.that(between.items.length > before.items.length, 'the first add to be a new item', 'ADD-1')
    },
  },
  'undoAddProduct.follows-its-add': {
    title: 'An add is taken back where it went, when another subscription has become current since.',
    requirements: ['UNDO-4', 'UNDO-2'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      await perform(t, 'addProduct', { email, product_id }, 'ADD-1')
      const passed = await passTheFirst(t).finally(async () => {
        await perform(t, 'undoAddProduct', { email, product_id })
      })
      t.equal(await readSubscription(t, email), passed.current, 'the subscription that is current now')
      const back = await passTheFirst(t)
      t.equal(back.current.items, before.items, 'the items of the one that it was added to')
    },
  },
  'undoAddProduct.knows-what-was-swapped-away': {
    title: 'A product that was added and then swapped for another cannot be taken back.',
    requirements: ['UNDO-5'],
    needs: [...needs, 'swapProduct'],
    async run(t) {
      const { email, before, newProduct, ownedProduct } = await arrange(t)
      const added = newProduct()
      const { product: owned, item } = ownedProduct()
      await perform(t, 'addProduct', { email, product_id: added.id }, 'ADD-1')
      const [line] = newItems(before, await readSubscription(t, email))
      if (line === undefined) t.spent('the add is no item of its own')
      await swapLine(t, email, line, owned)
      const swapped = await readSubscription(t, email)
      for (const product_id of [added.id, owned.id]) {
        await clickBetween(t, email)
        t.refused(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order')
      }
      t.equal(await readSubscription(t, email), swapped, 'the subscription', 'STATE-2')
      const joined = swapped.items.find(({ id }) => id === item.id)
      t.equal(joined?.quantity, item.quantity + 1, 'the quantity of the item it was joined to', 'SWAP-5')
    },
  },
  'undoAddProduct.can-be-done-and-undone': {
    title: 'Add, undo and add again are three changes, not one.',
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
  'undoAddProduct.forgets-its-refusals': {
    title: 'An undo that was refused works as soon as there is something to take back.',
    requirements: ['RETRY-3'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      await clickBetween(t, email)
      t.refused(await t.call('undoAddProduct', { email, product_id }), 'product_not_in_order', 'UNDO-3')
      await perform(t, 'addProduct', { email, product_id }, 'ADD-1')
      await perform(t, 'undoAddProduct', { email, product_id })
      t.equal(await readSubscription(t, email), before, 'the subscription')
    },
  },
  'undoAddProduct.knows-its-customers': {
    title: 'An unknown customer is 404 `customer_not_found`, also for a known product.',
    requirements: ['CUSTOMER-1'],
    mode: 'read-only',
    needs: ['undoAddProduct', 'listProducts'],
    async run(t) {
      const email = t.profile.customers.unknown
      for (const product_id of [(await readProducts(t))[0]?.id ?? 'x', t.profile.products.unknown]) {
        t.refused(await t.call('undoAddProduct', { email, product_id }), 'customer_not_found')
      }
    },
  },
})
