import { setTimeout as pause } from 'node:timers/promises'
import type { ClickDocument, Decision, Ledger } from '@storeport/core'
import { postClicks, beans, ok, paths } from '@storeport/testing/post-clicks'
import { expect, it } from 'vitest'
import { claim, settle } from '../../src/retries/protocol.ts'

it('runs an add after an undo although the response of the ledger is slow', async () => {
  const documents = new Map<string, ClickDocument>()
  const slow = { ms: 0 }
  const ledger: Ledger = {
    update: async (key, decide) => {
      const now = Date.now()
      await pause(slow.ms)
      const { result, document } = decide(documents.get(key), now)
      if (document !== undefined) documents.set(key, document)
      return result
    },
  }
  const effects: string[] = []
  const post = postClicks(ledger, {
    addProduct: async () => void effects.push('add'),
    undoAddProduct: async () => void effects.push('undo'),
  })
  expect([await post(), await post(beans, undefined, paths.undo)]).toEqual([ok, ok])
  slow.ms = 100
  expect(await post()).toEqual(ok)
  expect(effects).toEqual(['add', 'undo', 'add'])
})

it('runs an add after an undo although the success of the first add was stored late', () => {
  let document: ClickDocument | undefined
  const attempt = (id: string, body: string) => ({
    ...{ id, body, name: '', key: id, windowMs: 10_000, leaseMs: 13_000, retainMs: 6000, waitedMs: 0 },
    ...{ canReconcile: false, repeatableMs: 0, isClaimed: false, isMarked: false },
  })
  const take = <Result>(decision: Decision<Result>): Result => {
    document = decision.document ?? document
    return decision.result
  }
  const [first, undo, second] = [attempt('1', 'add'), attempt('2', 'undo'), attempt('3', 'add')]
  expect(take(claim(document, first, 0)).state).toBe('claimed')
  // The caller of the first add receives 200 at 10, but its process cannot reach the ledger for 16 s.
  expect(take(claim(document, undo, 14_000)).state).toBe('claimed')
  take(settle(document, undo, 'succeeded', 14_010))
  take(settle(document, first, 'succeeded', 16_000))
  expect(take(claim(document, second, 17_000)).state).toBe('claimed')
})
