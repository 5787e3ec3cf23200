import type { RequestListener } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { endpointNames } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { listening } from '@storeport/testing/listen'
import { createDescription } from '../src/describe-playground.ts'
import { connectShop } from '../src/shop-connection.ts'
import { apiKey, startShop, token } from './start-shop.ts'

/** What the page is told of a server that answers like this. */
async function describeServer(answer: RequestListener, patienceMs?: number) {
  const { url = '', stop } = await listening(answer)
  onTestFinished(async () => stop?.())
  const target = { baseUrl: url, apiKey }
  return createDescription({ target, token }, connectShop(target), patienceMs)
}

it.each<[what: string, answer: RequestListener, problem: string]>([
  ['web pages', (_req, res) => res.end('<h1>Welcome</h1>'), 'answers with a web page rather than the JSON of the API'],
  ['half of a JSON', (_req, res) => res.end('{"success":'), 'answers with no JSON rather than the JSON of the API'],
  ['another list', (_req, res) => res.end('[]'), 'answers with no JSON rather than the JSON of the API'],
  ['failures', (_req, res) => res.writeHead(502).end(), 'answers every call with 502'],
  ['nothing', (req) => req.socket.destroy(), 'closed the connection without an answer'],
])('a server that answers %s is a sentence in place of what it offers', async (_what, answer, problem) => {
  const describe = await describeServer(answer)
  expect(await describe()).toMatchObject({ offered: [], problem: expect.stringContaining(problem) })
})

it('a server that hangs is asked once however many wait, and none waits for long', async () => {
  let asked = 0
  const describe = await describeServer(() => (asked += 1), 50)
  for (const config of await Promise.all([describe(), describe(), describe()])) {
    expect(config.offered).toEqual([])
    expect(config.problem).toMatch(
      /^127\.0\.0\.1:\d+ has not said yet what it offers: load the page again in a moment$/,
    )
  }
  await expect.poll(() => asked).toBe(1)
  await describe()
  expect(asked).toBe(1)
})

it('a shop without products and customers is one like any other', async () => {
  const shop = await startShop({
    store: () => createMemoryStore({ data: {} }),
    playground: { offered: undefined, profile: undefined },
  })
  onTestFinished(shop.stop)
  const target = { baseUrl: shop.url, apiKey }
  expect(await createDescription({ target, token }, connectShop(target))()).toMatchObject({
    offered: endpointNames,
    problem: null,
    customers: [],
    today: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  })
})
