import { addDays, CurrentSubscription } from '@storeport/core'
import { type Check, type Common, define } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, readSubscription } from '../shop/customers.ts'
import { makeOtherChange, laterDate, readDelayed } from '../shop/changes.ts'

const { should } = about('test mode')

export const requirements: Requirements = {
  'TEST-1': should(
    'A request in test mode uses the test store or returns 400, and never changes the real store.',
    "The test-mode header is ignored, so a test changes real customers' data.",
  ),
  'TEST-2': should(
    'A test-mode header of `false` selects the real store.',
    'Any value of the header, including `false`, enables test mode.',
  ),
}

const common: Common = { mode: 'write', layer: 'wire', needs: ['getSubscription', 'delaySubscription'] }

export const checks: readonly Check[] = define(common, requirements, {
  'testMode.never-reaches-the-real-store': {
    requirements: ['TEST-1'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const headers = { [t.names.testModeHeader]: 'true' }
      const read = await t.call('getSubscription', { email }, { headers })
      const test = read.status === 200 ? t.data(read, CurrentSubscription, 'SUBSCRIPTION-1') : before
      const new_date = addDays(laterDate(before.next_billing_date, test.next_billing_date), 3)
      const reply = await t.call('delaySubscription', { email, new_date }, { headers })
      t.equal(await readSubscription(t, email), before, 'the subscription in the real store', reply)
      if (reply.status !== 200) t.rejected(reply, read.status === 404 ? 'customer_not_found' : 'invalid_request')
      t.ok(read.status === reply.status, 'reads and actions to return the same status', read)
    },
  },
  'testMode.can-be-disabled': {
    requirements: ['TEST-2'],
    async run(t) {
      const email = customerOf(t, 'otherCustomer')
      const before = await readSubscription(t, email)
      const headers = { [t.names.testModeHeader]: 'false' }
      await makeOtherChange(t, email)
      const new_date = addDays(before.next_billing_date, 1)
      t.accepted(await t.call('delaySubscription', { email, new_date }, { headers }))
      t.equal((await readDelayed(t, email, before, new_date)).next_billing_date, new_date, 'next_billing_date')
      const read = await t.call('getSubscription', { email }, { headers })
      t.equal(read.json, (await t.call('getSubscription', { email })).json, 'the subscription', read)
    },
  },
})
