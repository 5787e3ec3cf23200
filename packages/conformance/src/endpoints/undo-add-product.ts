import { type Check, define, onceInAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { arrange, customerOf, perform, readSubscription, unitsOf } from '../shop/customers.ts'
import type { Reply } from '../http/reply.ts'
import { makeAnotherCurrent, makeOtherChange } from '../shop/changes.ts'
import {
  add,
  example,
  expectSameResponse,
  idsOf,
  isRestored,
  listedId,
  otherChange,
  rejects,
  shows,
  swapTo,
  undo,
} from './examples.ts'

const { must, should } = about('undoing')

export const requirements: Requirements = {
  'UNDO-1': must('An undo removes the added product.', 'The response is sent before the change is stored.'),
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

export const checks: readonly Check[] = define({ ...onceInAShop, needs }, requirements, {
  'undoAddProduct.restores-the-subscription': {
    title:
      'Adding a product and undoing the addition restores the subscription, for new, existing and one-time products.',
    requirements: ['UNDO-1', 'UNDO-2', 'JSON-2'],
    layer: 'wire',
    run: example(
      (['fresh', 'owned'] as const).flatMap((which) =>
        [false, true].flatMap((one_time) => [add(which, { quantity: 2, one_time }), undo(which), isRestored]),
      ),
    ),
  },
  'undoAddProduct.undoes-the-most-recent-add': {
    requirements: ['UNDO-2', 'UNDO-3', 'ADD-2', 'STATE-2'],
    run: example([
      add('owned', { quantity: 2 }),
      add('owned', { quantity: 3 }),
      shows({ owned: 5 }, 'ADD-2'),
      undo('owned'),
      shows({ owned: 2 }, 'UNDO-2'),
      otherChange,
      undo('owned'),
      isRestored,
      otherChange,
      undo('owned', 'product_not_in_order'),
      isRestored,
    ]),
  },
  'undoAddProduct.undoes-many-adds': {
    title: 'If a product is added twelve times, twelve undos restore the subscription.',
    requirements: ['UNDO-2', 'UNDO-1'],
    async run(t) {
      const { email, before, newProduct } = await arrange(t)
      const product_id = newProduct().id
      const send = (name: 'addProduct' | 'undoAddProduct') =>
        t.call(name, { email, product_id }, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
      let added = 0
      // A shop may limit the quantity of a product.
      while (added < 12 && (await send('addProduct')).status === 200) added += 1
      const more = unitsOf(await readSubscription(t, email)) - unitsOf(before)
      const replies: Reply[] = []
      for (let undone = 0; undone < added; undone++) replies.push(await send('undoAddProduct'))
      t.equal(more, added, 'the number of added units', 'ADD-1')
      for (const reply of replies) t.accepted(reply, 'UNDO-2')
      t.equal(await readSubscription(t, email), before, 'the subscription after all undos')
    },
  },
  'undoAddProduct.undoes-the-named-product': {
    title:
      'An undo of a product that is not added is rejected, and succeeds after the addition. After two products are added, an undo removes the requested product, even if it was added first.',
    requirements: ['UNDO-2', 'UNDO-3', 'RETRY-3', 'STATE-2'],
    run: example([
      otherChange,
      undo('owned', 'product_not_in_order'),
      otherChange,
      undo('fresh', 'product_not_in_order'),
      add('fresh'),
      add('owned', { quantity: 2 }),
      shows({ fresh: 1, owned: 2 }, 'ADD-1'),
      undo('fresh', undefined, 'RETRY-3'),
      shows({ owned: 2 }, 'UNDO-2'),
      undo('owned'),
      isRestored,
    ]),
  },
  'undoAddProduct.follows-its-add': tests(['UNDO-4', 'UNDO-2'], async (t) => {
    const { email, before, newProduct } = await arrange(t)
    const product_id = newProduct().id
    await perform(t, 'addProduct', { email, product_id }, 'ADD-1')
    const passed = await makeAnotherCurrent(t).finally(async () => {
      await perform(t, 'undoAddProduct', { email, product_id })
    })
    t.equal(await readSubscription(t, email), passed.current, 'the subscription that is current now')
    const back = await makeAnotherCurrent(t)
    t.equal(back.current.items, before.items, 'the items of the subscription that the product was added to')
  }),
  'undoAddProduct.rejects-a-product-that-was-swapped': {
    title: 'An addition cannot be undone after the added product is swapped for another product.',
    requirements: ['UNDO-5', 'SWAP-5', 'STATE-2'],
    needs: [...needs, 'swapProduct'],
    run: example([
      add('fresh'),
      swapTo('fresh', 'owned'),
      otherChange,
      undo('fresh', 'product_not_in_order', 'UNDO-5'),
      otherChange,
      undo('owned', 'product_not_in_order', 'UNDO-5'),
      shows({ owned: 1 }, 'SWAP-5'),
    ]),
  },
  'undoAddProduct.finds-no-add-of-another-customer': {
    title:
      'An undo of a product that another customer added returns the same 404 `product_not_in_order` as a product that was never added, and does not remove the product.',
    requirements: ['CUSTOMER-2', 'UNDO-3', 'PRIVACY-2'],
    run: example(
      [
        async ({ t, email, product }) => {
          const click = { email: customerOf(t, 'subscribed'), product_id: product('fresh').id }
          await makeOtherChange(t, click.email)
          const absent = await t.call('undoAddProduct', click)
          await perform(t, 'addProduct', { ...click, email }, 'ADD-1')
          const reply = await t.call('undoAddProduct', click)
          t.rejected(reply, 'product_not_in_order')
          expectSameResponse(t, reply, absent)
        },
        undo('fresh'),
        isRestored,
      ],
      async (t) => customerOf(t, 'otherCustomer'),
    ),
  },
  'undoAddProduct.rejects-invalid-requests': {
    needs: ['undoAddProduct'],
    ...rejects('undoAddProduct', [
      ['UNDO-3', 'product_not_in_order', 'subscribed', (t) => idsOf(t.profile.products.unknown)],
      ['CUSTOMER-1', 'customer_not_found', 'unknown', (t) => idsOf(t.profile.products.unknown, listedId(t))],
    ]),
  },
})
