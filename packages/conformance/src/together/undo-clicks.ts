import { type Check, type CheckContext, type Common, define } from '../engine/check.ts'
import { readProducts } from '../steps/customers.ts'
import { forEachForm, repeatClick } from './clicks.ts'

const needs = ['listProducts', 'addProduct', 'undoAddProduct'] as const

const common: Common = { mode: 'write', layer: 'shop', needs, requires: ['retries'] }

/** Checks that repeat clicks at a shop without getSubscription. Only undos show how often a click took effect. */
export const checks: readonly Check[] = define(common, {
  'undoAddProduct.counts-each-click-once': {
    title:
      'An addProduct or undoAddProduct request that is sent twice takes effect once: the number of successful undos equals the number of additions. The repeat is concurrent, 2 ms later or after the response, with and without an `Idempotency-Key`.',
    requirements: ['RETRY-4', 'RETRY-1', 'RETRY-5', 'RETRY-14', 'UNDO-3'],
    without: ['getSubscription'],
    async run(t) {
      const { add, undo, addOther, undoOther, input } = await arrangeUndo(t)
      await forEachForm(async (form, trial) => {
        await repeatClick(t, 'addProduct', { ...input, quantity: 1 + (trial % 2) }, form)
        await addOther()
        t.accepted(await undo(), 'UNDO-1')
        await undoOther()
        t.rejected(await undo(), 'product_not_in_order', form.requirement)

        await add()
        await addOther()
        await add()
        await repeatClick(t, 'undoAddProduct', input, form)
        await undoOther()
        t.accepted(await undo(), form.requirement)
      })
    },
  },
})

/**
 * Finds a listed product without an addition that can be undone. Returns functions that add and undo this product, and
 * functions that add and undo another product. The shop does not treat their requests as repeats: each has its own key,
 * and the additions and undos of the other product separate equal requests.
 *
 * Fails UNDO-3 if the shop accepts an undo without an addition for each product, twice.
 */
async function arrangeUndo(t: CheckContext) {
  const { subscribed, empty } = t.profile.customers
  const email = t.need(subscribed ?? empty, 'customers.subscribed')
  const send = (name: 'addProduct' | 'undoAddProduct', product_id: string) =>
    t.call(name, { email, product_id }, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
  const ids = (await readProducts(t)).map(({ id }) => id).filter((id) => availableOf(t, id) >= minAvailable)
  const attempts = [...ids, ...ids]
  for (const [at, product_id] of attempts.entries()) {
    const other = ids.find((id) => id !== product_id)
    const sendOther = async (name: 'addProduct' | 'undoAddProduct') => {
      if (other !== undefined) t.accepted(await send(name, other), name === 'addProduct' ? 'ADD-1' : 'UNDO-1')
    }
    const shop = {
      input: { email, product_id },
      add: async () => t.accepted(await send('addProduct', product_id), 'ADD-1'),
      undo: () => send('undoAddProduct', product_id),
      addOther: () => sendOther('addProduct'),
      undoOther: () => sendOther('undoAddProduct'),
    }
    await shop.add()
    await shop.addOther()
    t.accepted(await shop.undo(), 'UNDO-1')
    await shop.undoOther()
    const again = await shop.undo()
    // An earlier check may have left an addition of this product.
    if (again.status === 200 && at < attempts.length - 1) continue
    t.rejected(again, 'product_not_in_order', 'UNDO-3')
    return shop
  }
  return t.skipUsed(`no listed product has ${minAvailable} available units`)
}

/** Units of a product that are required if an addition takes effect twice. */
const minAvailable = 4

function availableOf({ profile }: CheckContext, id: string): number {
  return profile.products.listed.find((product) => product.id === id)?.available ?? Infinity
}
