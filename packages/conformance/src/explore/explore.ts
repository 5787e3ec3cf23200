import { type Check, define, type Exploration, onceInAShop } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { knowsToday, offByOneDay } from '../shop/customers.ts'

const { should } = about('sequences')

export const requirements: Requirements = {
  'MODEL-1': should(
    'Each change in a sequence of changes has its documented effect, regardless of the preceding changes.',
    'A change depends on an earlier change that has no influence on it.',
  ),
}

/** Settings of an exploration without options. */
export const defaultExploration: Exploration = { seed: 1, timeMs: 5000 }

/**
 * Compares the shop with a model of the customers. A run contains this check only if the option `explore` is set, or if
 * the option `only` names the check.
 */
export const checks: readonly Check[] = define(
  { ...onceInAShop, needs: ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct'] },
  requirements,
  {
    'explore.follows-the-model': {
      title: 'Random sequences of changes for two customers have the effects that the documented rules predict.',
      requirements: ['MODEL-1'],
      isExploration: true,
      async run(t) {
        const { subscribed, otherCustomer, cancelled, empty } = t.profile.customers
        const emails = [subscribed, otherCustomer, cancelled, empty].filter((email) => email !== undefined)
        if (emails.length === 0) t.need(subscribed, 'customers.subscribed')
        // Loads the generator of sequences only if the check runs.
        const { search } = await import('./search.ts')
        const finding = await search(t, emails, t.explore ?? defaultExploration)
        if (finding === undefined) return
        const { requirement, expected } = finding
        const isDate = expected.startsWith('next_billing_date')
        if (isDate && ['SEND-2', 'REACTIVATE-2'].includes(requirement) && !knowsToday(t)) t.skip(offByOneDay)
        t.fail(finding)
      },
    },
  },
)
