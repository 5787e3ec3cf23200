import { addDays, CurrentSubscription } from '@storeport/core'
import type { Check } from '../../engine/check.ts'
import { laterOf } from '../../steps/later-of.ts'
import { clickBetween } from '../../steps/click-between.ts'
import { readSubscription } from '../../steps/read.ts'
import { customerOf } from '../../steps/customer-of.ts'

/** What a call in test mode reaches. */
export const checks: readonly Check[] = [
  {
    id: 'testMode.never-reaches-the-real-store',
    title: 'A call in test mode is 400, or changes the test store alone.',
    requirements: ['TEST-1'],
    mode: 'write',
    layer: 'wire',
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const email = customerOf(t, 'neighbour')
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
  {
    id: 'testMode.can-be-off',
    title: 'A test-mode header of `false` is a call to the real store.',
    requirements: ['TEST-2'],
    mode: 'write',
    layer: 'wire',
    needs: ['getSubscription', 'delaySubscription'],
    async run(t) {
      const email = customerOf(t, 'neighbour')
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
]
