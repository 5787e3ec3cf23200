import { expect, it } from 'vitest'
import { post, send } from './ask.ts'
import { shopForTest } from './start-shop.ts'

it('demo controls return 404 with a reason for a real shop', async () => {
  const { url } = await shopForTest()
  for (const response of [await send(`${url}/playground/shop`), await post(url, '/playground/reset', {})]) {
    expect(response.status).toBe(404)
    expect(response.json()).toMatchObject({ success: false, error: { code: 'not_offered' } })
  }
})

it.each([
  [true, 200],
  [false, 403],
])('a reset that returns %s has the status %i', async (isDone, status) => {
  const demo = { readState: () => new Promise<never>(() => {}), reset: async () => isDone }
  const { url } = await shopForTest({ playground: { demo } })
  const response = await post(url, '/playground/reset', {})
  expect(response.status).toBe(status)
  if (!isDone) expect(response.json()).toMatchObject({ error: { code: 'not_own_data' } })
})
