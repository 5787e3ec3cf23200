import { type Check, type CheckContext, define, onceInAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { emailsOf, expectDone, perform } from '../shop/customers.ts'
import { rejects } from './examples.ts'

const { must, should } = about('custom actions')

export const requirements: Requirements = {
  'ACTION-1': must(
    'A request for a known action runs the action and returns `{"success": true}`.',
    'The action is not registered under the id in the profile.',
  ),
  'ACTION-2': should(
    'A request for an unknown action returns 404 `action_not_found`, regardless of the id.',
    'The request returns success, or actions are looked up in a plain object with inherited properties.',
  ),
  'ACTION-3': should(
    'A known action runs for every customer, with or without a subscription.',
    'The action requires a subscription that it does not need.',
  ),
}

export const checks: readonly Check[] = define({ ...onceInAShop, needs: ['runCustomAction'] }, requirements, {
  'runCustomAction.runs-a-known-action': {
    requirements: ['ACTION-1', 'JSON-2'],
    layer: 'wire',
    async run(t) {
      const email = t.need(t.profile.customers.subscribed ?? t.profile.customers.empty, 'customers.subscribed')
      const action_id = knownAction(t)
      expectDone(t, await t.call('runCustomAction', { email, action_id }))
    },
  },
  'runCustomAction.rejects-invalid-requests': rejects('runCustomAction', [
    ['ACTION-2', 'action_not_found', 'empty', unknownActions],
    ['ACTION-2', 'action_not_found', 'subscribed', unknownActions],
    ['CUSTOMER-1', 'customer_not_found', 'unknown', (t) => [{ action_id: knownAction(t) }]],
  ]),
  'runCustomAction.runs-for-every-customer': tests(['ACTION-3'], async (t) => {
    const action_id = knownAction(t)
    const emails = emailsOf(t)
    if (emails.length === 0) t.skip('the profile has no customers')
    for (const email of emails) await perform(t, 'runCustomAction', { email, action_id })
  }),
})

function knownAction({ profile, need }: CheckContext): string {
  return need(profile.actions.known, 'actions.known')
}

function unknownActions({ profile }: CheckContext) {
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']
  return [profile.actions.unknown, ...names].map((action_id) => ({ action_id }))
}
