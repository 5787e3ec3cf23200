import type { Stripe } from 'stripe'
import { createResource, findResource, save } from '../stripe-account.ts'
import { createInvalidRequest } from '../stripe-failure.ts'
import type { Handlers } from '../stripe-requests.ts'

/**
 * Test clocks (docs.stripe.com/api/test_clocks). Unlike Stripe, all test clocks show the time of the account, and advancing a test clock
 * advances the account.
 */
export const testClockHandlers = {
  'POST /v1/test_helpers/test_clocks': (account, { name = null }) =>
    save(
      account.test_clocks,
      createResource<Stripe.TestHelpers.TestClock>({
        id: account.createId('clock'),
        object: 'test_helpers.test_clock',
        created: account.now(),
        frozen_time: account.now(),
        name,
        status: 'ready',
      }),
    ),
  'GET /v1/test_helpers/test_clocks/{id}': (account, _, id) => findResource(account.test_clocks, 'testclock', id),
  'POST /v1/test_helpers/test_clocks/{id}/advance': (account, { frozen_time }, id) => {
    const clock = findResource(account.test_clocks, 'testclock', id)
    if (frozen_time <= account.now())
      throw createInvalidRequest('You can only advance a test clock to a later time.', 'frozen_time')
    account.advanceTo(frozen_time)
    return save(account.test_clocks, { ...clock, frozen_time })
  },
  // Deletes the customers of the test clock and their subscriptions.
  'DELETE /v1/test_helpers/test_clocks/{id}': (account, _, id) => {
    findResource(account.test_clocks, 'testclock', id)
    account.test_clocks.delete(id)
    for (const customer of account.customers.values()) {
      if (customer.test_clock !== id) continue
      account.customers.delete(customer.id)
      const own = [...account.subscriptions.values()].filter((each) => each.customer === customer.id)
      for (const subscription of own) account.subscriptions.delete(subscription.id)
    }
    return { id, object: 'test_helpers.test_clock', deleted: true }
  },
} satisfies Partial<Handlers>
