import { readFileSync } from 'node:fs'
import { createIntegration } from '@storeport/core'
import { serve } from '@storeport/node'
import { createMemoryStore } from '@storeport/store-memory'
import { runLine } from '@storeport/testing/run-as-user'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleDay, makeExamples } from '../scripts/api-page/examples.ts'

const page = readFileSync('docs/guide/api.md', 'utf8')
const key = 'a-key-of-the-tests-0001'

/** Requests on the page with their expected responses, in page order. */
const examples = [...page.matchAll(/```sh\n(curl [^]*?)```\s+```json\n([^]*?)```/g)].map(
  ([, curl = '', json = '']): { curl: string; expected: unknown } => ({ curl, expected: JSON.parse(json) }),
)

describe('API reference', () => {
  let shop: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    const store = createMemoryStore({ today: exampleDay })
    shop = await serve(createIntegration({ store, apiKeys: [key] }), { port: 0 })
  })
  afterAll(() => shop.close())

  it('has a request for each endpoint', () => expect(examples).toHaveLength(11))

  it('has requests that succeed in page order on every day of a leap year', async () => {
    for (let day = Date.UTC(2028, 0, 1); day < Date.UTC(2029, 0, 1); day += 86_400_000) {
      const today = new Date(day).toISOString().slice(0, 10)
      expect((await makeExamples(today)).size, today).toBe(11)
    }
  })

  it.each(examples)('shows the response to $curl', async ({ curl, expected }) => {
    const env = { ...process.env, SHOP: shop.url, STOREPORT_API_KEY: key }
    const { text } = await runLine('.', `${curl.trim()} --silent --show-error`, env)
    expect(JSON.parse(text)).toEqual(expected)
  })
})
