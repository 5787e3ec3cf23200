import { addDays, CurrentSubscription } from '@storeport/core'
import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readSubscription } from '../steps/customers.ts'
import { clickBetween, laterOf } from '../steps/changes.ts'

const { should } = about('test mode')

/** What a call in test mode reaches. */
export const requirements: Requirements = {
  'TEST-1': should(
    'A call in test mode reaches the test store or is refused with 400; it never touches the real store.',
    'The test-mode header is not looked at, so a test reaches real customers.',
  ),
  'TEST-2': should(
    'A test-mode header of `false` is a call to the real store.',
    'Any value of the header, also `false`, turns test mode on.',
  ),
}

const common: Common = { mode: 'write', layer: 'wire', needs: ['getSubscription', 'delaySubscription'] }

/** What a call in test mode reaches. */
export const checks: readonly Check[] = define(common, {
  'testMode.never-reaches-the-real-store': {
    title: 'A call in test mode is 400, or changes the test store alone.',
    requirements: ['TEST-1'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const headers = { [t.names.testModeHeader]: 'true' }
      const read = await t.call('getSubscription', { email }, { headers })
      const test = read.status === 200 ? t.data(read, CurrentSubscription, 'SUBSCRIPTION-1') : before
      const new_date = addDays(laterOf(before.next_billing_date, test.next_billing_date), 3)
      const reply = await t.call('delaySubscription', { email, new_date }, { headers })
      t.equal(await readSubscription(t, email), before, 'the subscription in the real store', reply)
      if (reply.status !== 200) t.refused(reply, read.status === 404 ? 'customer_not_found' : 'invalid_request')
      t.that(read.status === reply.status, 'reads to be treated as actions are', read)
    },
  },
  'testMode.can-be-off': {
    title: 'A test-mode header of `false` is a call to the real store.',
    requirements: ['TEST-2'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const headers = { [t.names.testModeHeader]: 'false' }
      await clickBetween(t, email)
      const new_date = addDays(before.next_billing_date, 1)
      t.accepted(await t.call('delaySubscription', { email, new_date }, { headers }))
      t.equal((await readSubscription(t, email)).next_billing_date, new_date, 'next_billing_date')
      const read = await t.call('getSubscription', { email }, { headers })
      t.equal(read.json, (await t.call('getSubscription', { email })).json, 'the subscription', read)
    },
  },
})
