import type { Check } from '../../engine/check.ts'

/** The merchant's own actions behind custom buttons. */
export const checks: readonly Check[] = [
  {
    id: 'runCustomAction.runs-a-known-action',
    title: 'A known action of a known customer is run.',
    requirements: ['ACTION-1', 'JSON-2'],
    mode: 'write',
    layer: 'wire',
    needs: ['runCustomAction'],
    async run(t) {
      const email = t.need(t.profile.customers.subscribed ?? t.profile.customers.empty, 'customers.subscribed')
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      const reply = await t.call('runCustomAction', { email, action_id })
      t.accepted(reply)
      t.equal(reply.json, { success: true }, 'the body', reply, 'JSON-2')
    },
  },
  {
    id: 'runCustomAction.refuses-an-unknown-action',
    title: 'An unknown action is 404 `action_not_found`, also when it has a name that every object has.',
    requirements: ['ACTION-2'],
    mode: 'write',
    layer: 'shop',
    needs: ['runCustomAction'],
    async run(t) {
      const email = t.need(t.profile.customers.subscribed ?? t.profile.customers.empty, 'customers.subscribed')
      const names = [t.profile.actions.unknown, 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']
      for (const action_id of names) {
        t.refused(await t.call('runCustomAction', { email, action_id }), 'action_not_found')
      }
    },
  },
  {
    id: 'runCustomAction.knows-its-customers',
    title: 'A known action of an unknown customer is 404 `customer_not_found`.',
    requirements: ['CUSTOMER-1'],
    mode: 'read-only',
    layer: 'shop',
    needs: ['runCustomAction'],
    async run(t) {
      const action_id = t.need(t.profile.actions.known, 'actions.known')
      const email = t.profile.customers.unknown
      t.refused(await t.call('runCustomAction', { email, action_id }), 'customer_not_found')
    },
  },
]
