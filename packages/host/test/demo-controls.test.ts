import { join } from 'node:path'
import type { DemoState } from '@storeport/playground'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

/** Starts a host on a store with seed data and returns functions that send requests to its playground. */
async function openPage(store: string) {
  const settings = readSettings([], {
    ...{ PORT: '0', STOREPORT_LOG: 'silent', STOREPORT_PLAYGROUND: 'on', STOREPORT_TODAY: today },
    ...{ STOREPORT_STORE: store, STOREPORT_DATA: await dataFolder() },
  })
  const host = await startHost(settings, { closeTimeoutMs: 20 })
  onTestFinished(() => host.close())
  const page = await enterPlayground(host)
  const readJson = async (response: Response) => ({ status: response.status, body: await readBody(response) })
  return {
    reset: async () => readJson(await page.post('/playground/reset', {})),
    /** Sends a click twice, either concurrently or in sequence. */
    call: async (endpoint: string, input: object, how: string) => {
      const call = async () => readJson(await page.post('/playground/call', { endpoint, input }))
      if (how === 'concurrent') return Promise.all([call(), call()])
      return [await call(), await call()]
    },
    look: async () => readShop(await page.get('/playground/shop')),
  }
}

function readBody(response: Response): Promise<unknown> {
  return response.json()
}

async function readShop(response: Response): Promise<DemoState> {
  return JSON.parse(await response.text())
}

it.each(['memory', 'SQLite'])('reset restores the seed data and deletes stored clicks: %s', async (kind) => {
  const page = await openPage(kind === 'memory' ? kind : `sqlite:${join(await dataFolder(), 'shop.db')}`)
  for (const how of ['concurrent', 'after-lost-response', 'concurrent']) {
    const both = await page.call('sendNow', { email }, how)
    const done = { body: { response: { status: 200 } } }
    expect(both, how).toMatchObject([done, done])
    await page.call('runCustomAction', { email, action_id: 'change_to_quarterly' }, how)
    const { orders, actions_run } = await page.look()
    expect([orders.length, actions_run.length], how).toEqual([1, 1])
    expect(await page.reset()).toEqual({ status: 200, body: {} })
    const { subscriptions, ...others } = await page.look()
    expect(others).toEqual({ orders: [], discount_uses: [], actions_run: [] })
    const own = subscriptions.filter((one) => one.email === email)
    expect(own.map(({ id, next_billing_date }) => [id, next_billing_date])).toEqual([
      ['sub_1001', '2026-03-24'],
      ['sub_1002', '2026-04-09'],
    ])
  }
})
