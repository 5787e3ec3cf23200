import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleDay } from '../scripts/api-page/examples.ts'

const page = readFileSync('docs/guide/api.md', 'utf8')
const key = 'a-key-of-the-tests-0001'

const read = (json: string): unknown => JSON.parse(json)

/** Every call of the page and the answer that stands below it, in their order. */
const calls = [...page.matchAll(/```sh\n(curl [^]*?)```\s+```json\n([^]*?)```/g)].map(([, curl = '', json = '']) => ({
  curl,
  answer: read(json),
}))

describe('the API reference', () => {
  let shop: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    const store = createMemoryStore({ today: exampleDay })
    shop = await serve(createIntegration({ store, apiKeys: [key] }), { port: 0 })
  })
  afterAll(() => shop.close())

  it('has a call of each endpoint', () => expect(calls).toHaveLength(11))

  it.each(calls)('shows what is answered to $curl', async ({ curl, answer }) => {
    const env = { ...process.env, SHOP: shop.url, STOREPORT_API_KEY: key }
    const { stdout } = await promisify(execFile)('bash', ['-c', `${curl.trim()} --silent --show-error`], { env })
    expect(JSON.parse(stdout)).toEqual(answer)
  })
})
