import { describe, expect, it } from 'vitest'
import { DemoControlError } from '../src/index.ts'
import type { TimeRequest } from '../src/protocol.ts'
import { send, post } from './ask.ts'
import { type ShopOptions, shopForTest } from './start-shop.ts'

async function urlWith(demo: NonNullable<ShopOptions['playground']>['demo']): Promise<string> {
  return (await shopForTest({ playground: { demo } })).url
}

const moved = { today: '2026-04-10', billed: 2 }

describe('requests for demo controls and checks', () => {
  it('return 404 with a reason for a real shop', async () => {
    const url = await urlWith(undefined)
    const responses = [
      await send(`${url}/playground/shop`),
      await post(url, '/playground/time', { to: 'one-month', email: 'test@example.com' }),
      await post(url, '/playground/reset', {}),
    ]
    for (const response of responses) {
      expect(response.status).toBe(404)
      expect(response.json()).toMatchObject({ success: false, error: { code: 'not_offered' } })
    }
  })

  it("pass a date change to the host and return the host's result", async () => {
    const requested: TimeRequest[] = []
    const moveDate = async (request: TimeRequest) => {
      requested.push(request)
      return moved
    }
    const url = await urlWith({ moveDate })
    const response = await post(url, '/playground/time', { to: 'day-before', email: ' test@example.com ' })
    expect(response.json()).toEqual(moved)
    expect(requested).toEqual([{ to: 'day-before', email: 'test@example.com' }])
  })

  it.each([
    ['time', { to: 'yesterday', email: 'test@example.com' }, 'to: must be one of day-before, next-billing, one-month'],
    ['time', { to: 'one-month' }, 'email: must be an email address'],
    ['time', { to: 'one-month', email: ['test@example.com'] }, 'email: must be an email address'],
    ['checks', { mode: 'everything' }, 'mode: must be one of read-only, default, stress'],
    ['checks', {}, 'mode: must be one of read-only, default, stress'],
  ])('are rejected at /playground/%s with the body %j', async (name, body, message) => {
    const url = await urlWith({ moveDate: async () => moved })
    const response = await post(url, `/playground/${name}`, body)
    expect(response.status).toBe(400)
    expect(response.json()).toEqual({ success: false, error: { code: 'invalid_request', message } })
  })

  it.each([
    ['date_not_moved', 400],
    ['not_own_data', 403],
    ['busy', 409],
  ] as const)('return the message of a DemoControlError: %s', async (code, status) => {
    const reset = async () => {
      throw new DemoControlError(code, 'Not now.')
    }
    const response = await post(await urlWith({ reset }), '/playground/reset', {})
    expect(response.status).toBe(status)
    expect(response.json()).toEqual({ success: false, error: { code, message: 'Not now.' } })
  })
})
