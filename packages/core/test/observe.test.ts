import { expect, it } from 'vitest'
import { type CallOutcome, StoreError, type StorePort } from '@storeport/core'
import { deferred, integrationOf, send, subscription } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=a@b.example'
const store: StorePort = {
  getSubscription: async () => subscription,
  sendNow: async () => {},
  delaySubscription: async () => {
    throw new StoreError('customer_not_found')
  },
}

it("passes each request's outcome to the observer, without customer data", async () => {
  const outcomes: CallOutcome[] = []
  const integration = integrationOf(store, {
    observe: async (_, run) => {
      const outcome = await run()
      outcomes.push(outcome)
      return outcome
    },
  })
  const [email, new_date] = ['a@b.example', '2030-01-01']
  for (const [path, body] of [
    ['/customer-portal/subscription?email=a@b.example'],
    ['/customer-portal/send-now', { email }],
    ['/customer-portal/send-now', { email }],
    ['/customer-portal/delay', { email, new_date }],
    ['/nothing'],
  ] as const)
    await send(integration, `/integration${path}`, { body })
  const parts = outcomes.map(({ endpoint, code, replayed, storeMs, answer }) => {
    return [endpoint, answer.status, code, replayed, storeMs !== undefined]
  })
  expect(parts).toEqual([
    ['getSubscription', 200, undefined, false, true],
    ['sendNow', 200, undefined, false, true],
    ['sendNow', 200, undefined, true, false],
    ['delaySubscription', 404, 'customer_not_found', false, true],
    [undefined, 404, 'endpoint_not_found', false, false],
  ])
  expect(JSON.stringify(outcomes)).not.toContain(email)
})

it('returns 500 if the observer throws', async () => {
  const observe = async () => {
    throw new Error('broken')
  }
  expect((await send(integrationOf(store, { onError: () => {}, observe }), portal)).status).toBe(500)
})

it('returns 503 immediately if maxConcurrent requests are running, and accepts requests after a request ends', async () => {
  const [hanging, called] = [deferred<typeof subscription>(), deferred<void>()]
  const getSubscription = () => {
    called.resolve()
    return hanging.promise
  }
  const integration = integrationOf({ getSubscription }, { maxConcurrent: 1, onError: () => {} })
  const first = send(integration, portal)
  await called.promise
  const { status, json, headers } = await send(integration, portal)
  expect([status, json.error?.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5'])
  hanging.resolve(subscription)
  expect([(await first).status, (await send(integration, portal)).status]).toEqual([200, 200])
})

it('calls keyGuesses only for invalid keys, not for missing ones, and delays each 401 until the call resolves', async () => {
  const guesses: string[] = []
  const waits = deferred<void>()
  const integration = integrationOf(store, {
    keyGuesses: {
      failed: async ({ path }) => {
        guesses.push(path)
        await waits.promise
      },
    },
  })
  const guess = { headers: { 'x-integration-api-key': 'a-wrong-key-0001-0001' } }
  expect((await send(integration, portal, { headers: { 'x-integration-api-key': '' } })).status).toBe(401)
  let answered = 0
  const rejected = Array.from({ length: 300 }, async () => {
    const { status } = await send(integration, portal, guess)
    answered += 1
    return status
  })
  expect((await send(integration, portal)).status).toBe(200)
  expect([guesses.length, answered]).toEqual([300, 0])
  waits.resolve()
  expect(new Set(await Promise.all(rejected))).toEqual(new Set([401]))
})
