import { StoreError, type StorePort } from '@storeport/core'
import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'
import { type RunOptions, sendTo } from '../../src/index.ts'
import { apiKey, createShop, readSubscription, reportOf, resultOf } from '../shop.ts'

const id = 'explore.follows-the-model'
const explore = { seed: 1, timeMs: 1000 }
/** For shops with a difference: the search ends at the difference, not after the time. */
const untilFound = { seed: 1, timeMs: 60_000 }

function storeThat(change: (store: ReturnType<typeof createMemoryStore>) => StorePort) {
  const store = createMemoryStore()
  return sendTo(createShop({ store: { ...store, ...change(store) } }))
}

/** Rejects an order of a customer after the order of another customer. */
function withLimitOfShop() {
  let sender: string | undefined
  return storeThat((store) => ({
    async sendNow(input, context) {
      if (sender !== undefined && sender !== input.email) throw new StoreError('order_already_processing')
      await store.sendNow(input, context)
      sender = input.email
    },
  }))
}

/** Ignores the second of two lasting additions of different quantities. */
function withLostAddition() {
  let last: number | undefined
  return storeThat((store) => ({
    async addProduct(input, context) {
      const isLost = !input.one_time && last !== undefined && last !== input.quantity
      if (!input.one_time) last = input.quantity
      if (!isLost) await store.addProduct(input, context)
    },
  }))
}

it.each([{ disposable: true }, { disposable: false }])('finds nothing in a correct shop: %j', async (options) => {
  expect((await resultOf(id, { ...options, explore })).failure?.message).toBeUndefined()
})

it('reports a short sequence as curl commands, with the requirement and the likely cause', async () => {
  const options: Partial<RunOptions> = { only: [id], explore: untilFound, disposable: true }
  const { causes, groups } = await reportOf({ ...options, send: withLimitOfShop() })
  expect(causes[0]?.cause).toContain('Store the date of the last order for each customer')
  const finding = groups.flatMap(({ results }) => results)[0]?.finding
  expect(finding?.requirement).toBe('SEND-1')
  const lines = finding?.curl?.split('\n') ?? []
  expect(lines.map((line) => /"email":"(\w+)@/.exec(line)?.[1])).toEqual(['cancelled', 'another'])
  expect(lines.join()).not.toContain(apiKey)
  expect(lines.join()).not.toContain('Idempotency-Key')
})

it('shrinks a sequence to the requests that show the difference', async () => {
  const { failure } = await resultOf(id, { send: withLostAddition(), explore: untilFound, disposable: true })
  expect(failure?.requirement).toMatch(/^ADD-/)
  expect(failure?.steps.length).toBeLessThanOrEqual(3)
  // The later requests only bring back the state of the customer.
  expect(failure?.reply?.text).toBe(failure?.steps.at(-1)?.text)
  expect(failure?.calls.map(({ text }) => text)).toEqual(failure?.steps.map(({ text }) => text))
})

it('accepts limits that the API does not show', async () => {
  const uses = new Map<string, number>()
  const send = storeThat((store) => ({
    async addProduct(input, context) {
      const { discount_code: code, email, quantity } = input
      if (quantity > 2) throw new StoreError('product_unavailable')
      const count = (uses.get(`${email} ${code}`) ?? 0) + 1
      if (code !== undefined && count > 1) throw new StoreError('invalid_discount_code')
      await store.addProduct(input, context)
      uses.set(`${email} ${code}`, count)
    },
    async swapProduct(input, context) {
      if (input.new_product_id === 'test_54321') throw new StoreError('product_unavailable')
      await store.swapProduct(input, context)
    },
    async sendNow() {
      throw new StoreError('order_not_processable')
    },
  }))
  expect((await resultOf(id, { send, explore, disposable: true })).failure?.message).toBeUndefined()
})

it('takes back its changes if the test data is not disposable', async () => {
  const send = sendTo(createShop())
  const offered = ['listProducts', 'getSubscription', 'addProduct', 'undoAddProduct', 'swapProduct'] as const
  const before = await readSubscription(send)
  await resultOf(id, { send, offered, explore })
  expect(await readSubscription(send)).toBe(before)
})

it('does not run in a read-only run', async () => {
  const results = await reportOf({ mode: 'read-only', explore })
  expect(results.groups.flatMap((group) => group.results).map((result) => result.id)).not.toContain(id)
})
