import type { EndpointName } from '@storeport/core'
import { type Check, type CheckContext, define, onceInAShop, type Input } from '../engine/check.ts'
import type { RequirementId } from '../engine/requirement.ts'
import { customerOf, emailsOf, expectDone, perform, readCancelled, readProducts } from '../shop/customers.ts'
import { named } from '../shop/repeats.ts'

/** Checks for shops with few endpoints. Each check runs only if the endpoints for a stricter check are missing. */
export const checks: readonly Check[] = define(
  { ...onceInAShop, needs: ['listProducts', 'addProduct'] },
  {},
  {
    'listProducts.separates-the-lists-of-customers': {
      title: "Repeated reads of a customer's list return the same products, even if other lists are read in between.",
      requirements: ['PRODUCTS-4', 'PRODUCTS-3'],
      mode: 'read-only',
      needs: ['listProducts'],
      async run(t) {
        const email = anyCustomer(t)
        const own = await readProducts(t, email)
        const general = await readProducts(t)
        // Ignores the response, since another check verifies the response for an unknown customer.
        await t.call('listProducts', { email: t.profile.customers.unknown })
        t.equal(await readProducts(t), general, 'the general list', 'PRODUCTS-3')
        t.equal(await readProducts(t, email), own, "the customer's list")
      },
    },
    'addProduct.accepts-a-listed-product': {
      title:
        'A listed product can be added for a customer, and the response is exactly `{"success": true}`. With `one_time: true`, the response can be 404 `subscription_not_found`.',
      requirements: ['ADD-1', 'JSON-2', 'ADD-3'],
      without: ['getSubscription', 'undoAddProduct'],
      async run(t) {
        const add = await arrangeAdd(t)
        expectDone(t, await t.call('addProduct', { ...add, quantity: 2 }))
        await undoIfOffered(t, add)
        const reply = await t.call('addProduct', { ...add, one_time: true })
        // Other checks verify the status and the code of this rejection.
        if (reply.status >= 400 && reply.status < 500) return t.errorBody(reply, 'ERROR-1')
        t.accepted(reply, 'ADD-3')
        await undoIfOffered(t, add)
      },
    },
    'addProduct.compares-a-key-with-its-request': {
      title:
        'An addProduct request with an `Idempotency-Key` can be repeated. A different addProduct request with this key is rejected.',
      requirements: ['RETRY-6', 'RETRY-5'],
      without: ['getSubscription', 'undoAddProduct'],
      requires: ['retries'],
      async run(t) {
        const add = await arrangeAdd(t)
        await expectKeyStored(t, 'addProduct', add, { quantity: 2 }, 'ADD-1')
        await undoIfOffered(t, add)
      },
    },
    'runCustomAction.compares-a-key-with-its-request': {
      title:
        'A runCustomAction request with an `Idempotency-Key` can be repeated. A request for another action with this key is rejected.',
      requirements: ['RETRY-6', 'RETRY-5'],
      needs: ['runCustomAction'],
      without: ['getSubscription', 'delaySubscription'],
      requires: ['retries'],
      async run(t) {
        const [email] = emailsOf(t)
        const { known, unknown } = t.profile.actions
        const action = { email: t.need(email, 'customers.subscribed'), action_id: t.need(known, 'actions.known') }
        await expectKeyStored(t, 'runCustomAction', action, { action_id: unknown }, 'ACTION-1')
        t.tried('runCustomAction')
      },
    },
    'reactivateSubscription.removes-the-subscription-from-the-list': {
      title: 'A reactivated subscription is removed from the list. A repeat of the request returns success.',
      requirements: ['REACTIVATE-1', 'JSON-2', 'RETRY-1'],
      needs: ['listCancelledSubscriptions', 'reactivateSubscription'],
      without: ['getSubscription', 'delaySubscription'],
      requires: ['retries'],
      async run(t) {
        const email = customerOf(t, 'cancelled')
        const [first = t.skipUsed('no cancelled subscription is left', 'reactivateSubscription'), ...others] =
          await readCancelled(t, email)
        const { subscription_id } = first
        expectDone(t, await t.call('reactivateSubscription', { email, subscription_id }))
        t.equal(await readCancelled(t, email), others, 'the list')
        await perform(t, 'reactivateSubscription', { email, subscription_id }, 'RETRY-1')
        t.tried('reactivateSubscription')
      },
    },
  },
)

/** Expects that a repeat with the same `Idempotency-Key` succeeds, and that a different request is rejected. */
async function expectKeyStored(
  t: CheckContext,
  name: EndpointName,
  input: Input,
  other: Input,
  requirement: RequirementId,
): Promise<void> {
  const key = named()
  t.accepted(await t.call(name, input, key), requirement)
  t.accepted(await t.call(name, input, key), 'RETRY-5')
  const reply = await t.call(name, { ...input, ...other }, key)
  // A shop that ignores the key would accept the request, or return 404 because the data does not exist.
  t.ok(reply.status >= 400 && reply.status !== 404, 'a rejection, because the key was used for another request', reply)
}

/** Returns an existing customer, who may have no subscription. */
function anyCustomer(t: CheckContext): string {
  const { subscribed, empty } = t.profile.customers
  return t.need(subscribed ?? empty, 'customers.subscribed')
}

async function arrangeAdd(t: CheckContext): Promise<{ readonly email: string; readonly product_id: string }> {
  const email = anyCustomer(t)
  const [product = t.skipUsed('the product list is empty')] = await readProducts(t)
  return { email, product_id: product.id }
}

async function undoIfOffered(t: CheckContext, add: Input): Promise<void> {
  if (t.offered.includes('undoAddProduct')) await t.call('undoAddProduct', add)
}
