import { setTimeout as pause } from 'node:timers/promises'
import type { ClickDocument, Ledger } from '@storeport/core'
import { postClicks, beans, ok, paths } from '@storeport/testing/post-clicks'
import { expect, it } from 'vitest'

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
