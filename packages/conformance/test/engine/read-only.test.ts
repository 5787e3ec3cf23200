import { beforeAll, expect, it } from 'vitest'
import { type CheckResult, type PlainRequest, collectReport, runChecks, seedProfile, sendTo } from '../../src/index.ts'
import { apiKey, createShop, secondApiKey } from '../shop.ts'

const sent: PlainRequest[] = []
let results: readonly CheckResult[] = []

beforeAll(async () => {
  const send = sendTo(createShop())
  const run = runChecks({
    send: (request) => {
      sent.push(request)
      return send(request)
    },
    apiKey,
    secondApiKey,
    cannot: ['raw-path', 'http-parser'],
    mode: 'read-only',
  })
  results = (await collectReport(run)).results
})

it('a read-only run sends no call that could change what a customer of the shop has', () => {
  const { unknown, ...known } = seedProfile.customers
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(results.length).toBeGreaterThan(100)
  const addresses = Object.values(known).filter((email) => email !== undefined)
  expect(addresses.length).toBe(4)
  expect(addresses).not.toContain(unknown)
  for (const { method, target, body } of sent) {
    if (method === 'GET' || method === 'HEAD') continue
    // Some paths are malformed on purpose.
    const text = `${target.replaceAll('%40', '@')} ${body instanceof Uint8Array ? new TextDecoder().decode(body) : ''}`
    for (const email of addresses) expect(text.toLowerCase()).not.toContain(email)
  }
})

it('a read-only run puts the key into no address', () => {
  expect(sent.filter(({ target }) => target.includes(apiKey))).toEqual([])
})
