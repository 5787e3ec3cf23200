import { readdirSync, readFileSync } from 'node:fs'
import { createClient } from '@storeport/client'
import { parseProfile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@storeport/testing/keys'
import { startExample } from '@storeport/testing/start-program'

/** Conformance profile of the test data in the example's tables. */
const profile = parseProfile({
  customers: { empty: 'guest@example.com', subscribed: 'reader@example.com', otherCustomer: 'writer@example.com' },
  products: {
    listed: [
      { id: 'oolong', price: 12.5 },
      { id: 'sencha', price: 14.95 },
      { id: 'teapot', price: 39 },
    ],
    unavailable: 'matcha',
  },
})

await behavesLikeStorePort(
  'example own-database, started by npm start,',
  {
    start: async () => {
      const { url, stop } = await startExample('own-database')
      return { url, stop, apiKey: keys.first, profile }
    },
  },
  { describe, it, afterAll },
)

describe('example own-database', () => {
  it('merges a repeated add into one line, and adds a separate line for a one-time item', async () => {
    const { url, stop } = await startExample('own-database')
    onTestFinished(stop)
    const shop = createClient({ baseUrl: url, apiKey: keys.first })
    const email = 'writer@example.com'
    const units = async () => (await shop.getSubscription({ email })).items.map(({ quantity }) => quantity)
    await shop.addProduct({ email, product_id: 'sencha', quantity: 2 })
    expect(await units()).toEqual([3])
    await shop.addProduct({ email, product_id: 'sencha', quantity: 1, one_time: true })
    expect(await units()).toEqual([3, 1])
    expect((await shop.listProducts({ email })).products.map(({ id }) => id)).toEqual(['oolong', 'teapot'])
  })

  it('has fewer than 60 lines in every file', () => {
    const files = readdirSync('examples/own-database').filter((file) => file.endsWith('.ts'))
    const lines = files.map((file) => readFileSync(`examples/own-database/${file}`, 'utf8').split('\n').length)
    expect(Math.max(...lines)).toBeLessThan(60)
  })
})
