import { DemoControlError } from '@storeport/playground'
import { createMemoryStore } from '@storeport/store-memory'
import { expect, it } from 'vitest'
import { createDemoControls } from '../src/create-demo-controls.ts'

const today = '2026-03-10'
const request = { to: 'one-month', email: 'test@example.com' } as const

it('allows only one date change or reset at a time, and allows the next after a failure', async () => {
  let fail: ((reason: Error) => void) | undefined
  const store = createMemoryStore({ today })
  const trial = {
    moveDate: () => new Promise<'moved'>((_, reject) => (fail = reject)),
    reset: async () => true,
  }
  const open = { store, testStore: store, trial, isReady: async () => true, close: async () => {} }
  const { moveDate, reset } = createDemoControls(
    open,
    async () => today,
    'USD',
    () => today,
  )
  const moving = moveDate?.(request)
  for (const late of [moveDate?.(request), reset?.()]) {
    const error: unknown = await late?.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DemoControlError)
    expect(error).toMatchObject({ code: 'busy', status: 409 })
  }
  await expect.poll(() => fail).toBeDefined()
  fail?.(new Error('The database is unreachable.'))
  await expect(moving).rejects.toThrow('unreachable')
  expect(await reset?.()).toEqual({ today, billed: 0 })
})
