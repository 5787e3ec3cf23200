import { readdirSync, readFileSync } from 'node:fs'
import { createClient } from '@storeport/client'
import { parseProfile } from '@storeport/conformance'
import { behavesLikeStorePort } from '@storeport/conformance/vitest'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { keys } from '@storeport/testing/keys'
import { startExample } from '@storeport/testing/start-program'

/** What the tables of the example hold. */
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
  'the example own-database, started by npm start,',
  {
    start: async () => {
      const { url, stop } = await startExample('own-database')
      return { url, stop, apiKey: keys.first, profile }
    },
  },
  { describe, it, afterAll },
)

describe('the example own-database', () => {
  it('joins what is added again, and keeps apart what comes once', async () => {
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

  it('has no file of 60 lines', () => {
    const files = readdirSync('examples/own-database').filter((file) => file.endsWith('.ts'))
    const lines = files.map((file) => readFileSync(`examples/own-database/${file}`, 'utf8').split('\n').length)
    expect(Math.max(...lines)).toBeLessThan(60)
  })
})
