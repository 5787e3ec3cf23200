import { DemoControlError } from '@storeport/playground'
import { createMemoryStore } from '@storeport/store-memory'
import type { TrialShop } from '@storeport/store-sql'
import { expect, it } from 'vitest'
import { createDemoControls } from '../src/create-demo-controls.ts'

const today = '2026-03-10'
const request = { to: 'one-month', email: 'test@example.com' } as const

/** Creates demo controls for a memory store whose date and seed are changed by `trial`. */
function controlsOf(trial: TrialShop) {
  const store = createMemoryStore({ today })
  const open = { store, testStore: store, trial, isReady: async () => true, close: async () => {} }
  return createDemoControls(
    open,
    async () => today,
    () => today,
  )
}

it('rejects a date change or reset while another is running, and allows one after a failure', async () => {
  let fail: ((reason: Error) => void) | undefined
  const { moveDate, reset } = controlsOf({
    moveDate: () => new Promise<'moved'>((_, reject) => (fail = reject)),
    reset: async () => true,
  })
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

it.each([
  ['not_alone', 'not_own_data', 403],
  ['not_later', 'busy', 409],
] as const)(
  'rejects a date change if the store returns %s, and rejects a reset of data that is not the seed',
  async (outcome, code, status) => {
    const { moveDate, reset } = controlsOf({ moveDate: async () => outcome, reset: async () => false })
    await expect(moveDate?.(request)).rejects.toMatchObject({ code, status })
    await expect(reset?.()).rejects.toMatchObject({ code: 'not_own_data', status: 403 })
  },
)
