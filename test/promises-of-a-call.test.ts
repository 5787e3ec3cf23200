import { createHook } from 'node:async_hooks'
import { createIntegration, type StorePort } from '@storeport/core'
import { expect, it } from 'vitest'
import { plainCall, timedEndpoints } from '../bench/measure/requests.ts'
import { apiKey, shop } from '../bench/shop.ts'

/*
 * Each promise of a call costs about as much as reading its query, and a layer of async functions is soon added. Their
 * number depends on no machine: whoever lowers it lowers it here, whoever raises it says why. Two are the store's, and one
 * is the body's.
 */

const store: StorePort = shop
const apiKeys = [apiKey]

it.each([
  ['GET subscription', 'without the retry guard', createIntegration({ store, apiKeys, retries: false }), 5],
  ['POST delay', 'without the retry guard', createIntegration({ store, apiKeys, retries: false }), 10],
  ['GET subscription', 'as it comes', createIntegration({ store, apiKeys }), 5],
  ['POST delay', 'as it comes', createIntegration({ store, apiKeys }), 12],
] as const)('%s %s makes no more promises than it must', async (endpoint, _, { answer }, most) => {
  const calls = Array.from({ length: 20 }, (_each, turn) => plainCall(timedEndpoints[endpoint](turn)))
  const made = await countPromises(async () => {
    for (const call of calls) expect((await answer(call)).status).toBe(200)
  })
  const own = await countPromises(async () => {
    for (const call of calls) expect((await Promise.resolve({ status: 200, call })).status).toBe(200)
  })
  expect((made - own) / calls.length).toBeLessThan(most)
})

async function countPromises(run: () => Promise<void>): Promise<number> {
  let count = 0
  const hook = createHook({ init: (_id, type) => void (count += type === 'PROMISE' ? 1 : 0) })
  hook.enable()
  await run()
  hook.disable()
  return count
}
