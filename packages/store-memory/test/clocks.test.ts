import { createMemoryStore } from '@storeport/store-memory'
import { ok, paths, postClicks } from '@storeport/testing/post-clicks'
import { expect, it, onTestFinished, vi } from 'vitest'

const click = { email: 'subscription@example.com', product_id: 'test_54321' }

it('runs every click if the process pauses between any two reads of the clock', async () => {
  const { now } = performance
  onTestFinished(() => void vi.restoreAllMocks())
  let reads = 0
  for (let pause = 0; pause <= reads; pause++) {
    reads = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + (reads++ < pause ? 0 : 4000))
    const store = createMemoryStore({ today: '2026-03-10' })
    const post = postClicks(store.ledger ?? expect.unreachable(), store)
    for (const path of [paths.add, paths.undo, paths.add])
      expect(await post(click, undefined, path), `${path}, a pause before read ${pause}`).toEqual(ok)
  }
  expect(reads).toBeGreaterThan(5)
})
