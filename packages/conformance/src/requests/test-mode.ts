import { addDays, CurrentSubscription } from '@storeport/core'
import { type Check, type Common, define, defineEach, onceInAShop, tests } from '../engine/check.ts'
import { about, type Requirements } from '../engine/requirement.ts'
import { customerOf, perform, readSubscription, snapshot } from '../shop/customers.ts'
import { arrangeChange, changeNeeds, effectiveNeeds, makeOtherChange, laterDate, readDelayed } from '../shop/changes.ts'
import { postNames } from '../shop/inputs.ts'

const { should } = about('test mode')

export const requirements: Requirements = {
  'TEST-1': should(
    'A request in test mode uses the test store or returns 400, and never changes the real store.',
    "The test-mode header is ignored, so a test changes real customers' data.",
  ),
  'TEST-2': should('A test-mode header of `false` selects the real store.', 'Any value enables test mode.'),
}

const common: Common = { mode: 'write', layer: 'wire', needs: ['getSubscription', 'delaySubscription'] }

const ofEachPost = defineEach(postNames, onceInAShop, requirements, (name) => ({
  'changes-nothing-in-test-mode': {
    title: 'A request in test mode that would succeed changes nothing in the real store.',
    requirements: ['TEST-1'],
    needs: name === 'undoAddProduct' ? changeNeeds(name) : effectiveNeeds(name),
    async run(t) {
      const { input, restore } = await arrangeChange(t, name)
      const email = String(input['email'])
      const before = await snapshot(t, email)
      const reply = await t.call(name, input, { headers: { [t.names.testModeHeader]: 'true' } })
      t.equal(await snapshot(t, email), before, "the customer's data in the real store", reply)
      if (name !== 'undoAddProduct') return
      // Undoes both additions of `arrangeChange`.
      await perform(t, name, input, 'UNDO-1')
      await restore()
    },
  },
}))

const general = define(common, requirements, {
  'testMode.never-reaches-the-real-store': tests(['TEST-1'], async (t) => {
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
  }),
  'testMode.can-be-disabled': tests(['TEST-2'], async (t) => {
    const email = customerOf(t, 'otherCustomer')
    const before = await readSubscription(t, email)
    const headers = { [t.names.testModeHeader]: 'false' }
    await makeOtherChange(t, email)
    const new_date = addDays(before.next_billing_date, 1)
    t.accepted(await t.call('delaySubscription', { email, new_date }, { headers }))
    t.equal((await readDelayed(t, email, before, new_date)).next_billing_date, new_date, 'next_billing_date')
    const read = await t.call('getSubscription', { email }, { headers })
    t.equal(read.json, (await t.call('getSubscription', { email })).json, 'the subscription', read)
  }),
})

export const checks: readonly Check[] = [...general, ...ofEachPost]
