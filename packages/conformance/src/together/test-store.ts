import type { EndpointName } from '@storeport/core'
import { type Check, define, onceInAShop } from '../engine/check.ts'
import { undoAll } from '../steps/changes.ts'
import { arrange, findSubscription, perform, readCancelled, snapshot } from '../steps/customers.ts'

/** Checks that each action in test mode leaves the real store unchanged. */
export const checks: readonly Check[] = define(onceInAShop, {
  'testMode.changes-nothing-in-the-real-store': {
    title: 'An addition, an undo, a swap, an order and a reactivation in test mode change nothing in the real store.',
    requirements: ['TEST-1'],
    needs: ['getSubscription', 'listProducts', 'addProduct', 'undoAddProduct', 'delaySubscription'],
    async run(t) {
      const { email, newProduct, ownedProduct } = await arrange(t)
      const { item } = ownedProduct()
      const product_id = newProduct().id
      const headers = { [t.names.testModeHeader]: 'true' }
      const expectUnchanged = async (name: EndpointName, input: Readonly<Record<string, unknown>>) => {
        if (!t.offered.includes(name)) return
        const customer = String(input['email'])
        const before = await snapshot(t, customer)
        const reply = await t.call(name, input, { headers })
        t.equal(await snapshot(t, customer), before, "the customer's data in the real store", reply)
      }
      await expectUnchanged('addProduct', { email, product_id })
      await expectUnchanged('swapProduct', { email, current_item_id: item.id, new_product_id: product_id })
      await perform(t, 'addProduct', { email, product_id, quantity: 2 }, 'ADD-1')
      await expectUnchanged('undoAddProduct', { email, product_id })
      await undoAll(t, email, [product_id])
      const { cancelled, otherCustomer } = t.profile.customers
      if (otherCustomer !== undefined && (await findSubscription(t, otherCustomer)) !== undefined)
        await expectUnchanged('sendNow', { email: otherCustomer })
      if (cancelled === undefined || !t.offered.includes('listCancelledSubscriptions')) return
      for (const { subscription_id } of (await readCancelled(t, cancelled)).slice(0, 1))
        await expectUnchanged('reactivateSubscription', { email: cancelled, subscription_id })
    },
  },
})
