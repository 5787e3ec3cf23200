import { createHook } from 'node:async_hooks'
import { createIntegration, type StorePort } from '@storeport/core'
import { expect, it } from 'vitest'
import { plainCall, timedEndpoints } from '../bench/measure/requests.ts'
import { apiKey, shop } from '../bench/shop.ts'

/*
 * Limits the number of promises per request, which is the same on every machine. Each promise costs about as much CPU
 * time as parsing the query string. If you lower the number, lower the limit here. If you raise the number, explain
 * why. The store creates two of the promises, and reading the body creates one.
 */

const store: StorePort = shop
const apiKeys = [apiKey]

it.each([
  ['GET subscription', 'without the retry guard', createIntegration({ store, apiKeys, retries: false }), 5],
  ['POST delay', 'without the retry guard', createIntegration({ store, apiKeys, retries: false }), 10],
  ['GET subscription', 'with default options', createIntegration({ store, apiKeys }), 5],
  ['POST delay', 'with default options', createIntegration({ store, apiKeys }), 12],
] as const)('limits the number of promises: %s, %s', async (endpoint, _, { answer }, limit) => {
  const calls = Array.from({ length: 20 }, (_each, turn) => plainCall(timedEndpoints[endpoint](turn)))
  const total = await countPromises(async () => {
    for (const call of calls) expect((await answer(call)).status).toBe(200)
  })
  const baseline = await countPromises(async () => {
    for (const call of calls) expect((await Promise.resolve({ status: 200, call })).status).toBe(200)
  })
  expect((total - baseline) / calls.length).toBeLessThan(limit)
})

async function countPromises(run: () => Promise<void>): Promise<number> {
  let count = 0
  const hook = createHook({ init: (_id, type) => void (count += type === 'PROMISE' ? 1 : 0) })
  hook.enable()
  await run()
  hook.disable()
  return count
}
