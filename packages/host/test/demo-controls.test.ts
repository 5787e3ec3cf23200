import { join } from 'node:path'
import type { DemoState } from '@storeport/playground'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'

const today = '2026-03-10'
const email = 'subscription@example.com'

/** Starts a host on a store with seed data and returns functions that send requests to its playground. */
async function openPage(store: string, env: Record<string, string> = {}) {
  const settings = readSettings([], {
    ...{ PORT: '0', STOREPORT_LOG: 'silent', STOREPORT_PLAYGROUND: 'on', STOREPORT_TODAY: today },
    ...{ STOREPORT_STORE: store, STOREPORT_DATA: await dataFolder(), ...env },
  })
  const host = await startHost(settings, { closeTimeoutMs: 20 })
  onTestFinished(() => host.close())
  const page = await enterPlayground(host)
  const readJson = async (response: Response) => ({ status: response.status, body: await readBody(response) })
  return {
    move: async (to: string, customer = email) =>
      readJson(await page.post('/playground/time', { to, email: customer })),
    reset: async () => readJson(await page.post('/playground/reset', {})),
    /** Sends a click twice, either concurrently or in sequence. */
    call: async (endpoint: string, input: object = { email }, how = 'concurrent') => {
      const call = async () => readJson(await page.post('/playground/call', { endpoint, input }))
      if (how === 'concurrent') return Promise.all([call(), call()])
      return [await call(), await call()]
    },
    config: async () => (await readJson(await page.get('/playground/config'))).body,
    look: async () => readShop(await page.get('/playground/shop')),
  }
}

function readBody(response: Response): Promise<unknown> {
  return response.json()
}

async function readShop(response: Response): Promise<DemoState> {
  return JSON.parse(await response.text())
}

function rejection(status: number, code: string, message: string) {
  return { status, body: { success: false, error: { code, message } } }
}

function describeDemoControls(name: string, storeOf: () => Promise<string>): void {
  describe(`demo controls on ${name}`, () => {
    it('move the date to the day before billing and then to the billing date, and bill due orders', async () => {
      const page = await openPage(await storeOf())
      expect(await page.config()).toMatchObject({ today, demo: { state: true, time: true, reset: true } })
      // The order of another@example.com is due on 2026-03-17.
      expect(await page.move('day-before')).toEqual({ status: 200, body: { today: '2026-03-23', billed: 1 } })
      expect(await page.move('day-before')).toEqual(
        rejection(400, 'date_not_moved', 'The next billing date is tomorrow, so today is already the day before.'),
      )
      expect(await page.move('next-billing')).toEqual({ status: 200, body: { today: '2026-03-24', billed: 1 } })
      expect(await page.config()).toMatchObject({ today: '2026-03-24' })
      const inside = await page.look()
      expect(inside.today).toBe('2026-03-24')
      expect(inside.orders.map((order) => [order.email, order.placed_on])).toEqual([
        [email, '2026-03-24'],
        ['another@example.com', '2026-03-23'],
      ])
      expect(await page.move('one-month')).toMatchObject({ status: 200, body: { today: '2026-04-24' } })
      const delayed = await page.call('delaySubscription', { email, new_date: '2026-04-24' })
      expect(JSON.stringify(delayed)).toContain('invalid_date')
    })

    it('treat a click on a later date as a new click', async () => {
      const page = await openPage(await storeOf())
      await page.call('sendNow')
      expect((await page.look()).orders).toHaveLength(1)
      expect(await page.move('day-before')).toMatchObject({ status: 200 })
      const before = (await page.look()).orders.filter((order) => order.email === email)
      await page.call('sendNow')
      expect((await page.look()).orders.filter((order) => order.email === email)).toHaveLength(before.length + 1)
    })

    it('return the reason if the date is not moved', async () => {
      const page = await openPage(await storeOf())
      const noBilling =
        'This customer has no next billing date. Choose a customer with an active subscription, or move the shop date ahead by one month.'
      for (const other of ['test@example.com', 'nobody@example.com'])
        expect(await page.move('next-billing', other)).toEqual(rejection(400, 'date_not_moved', noBilling))
      // Delays both subscriptions, because the demo controls use the earliest billing date.
      for (const new_date of ['2036-03-11', '2036-03-12']) await page.call('delaySubscription', { email, new_date })
      const tooFar = 'The date would be more than 10 years ahead. Reset the shop first.'
      expect(await page.move('next-billing')).toEqual(rejection(400, 'date_not_moved', tooFar))
      expect(await page.config()).toMatchObject({ today })
      expect(await page.move('day-before')).toMatchObject({ status: 200, body: { today: '2036-03-10' } })
    })

    it('restore the seed data and delete stored clicks on reset', async () => {
      const page = await openPage(await storeOf())
      for (const how of ['concurrent', 'after-lost-response', 'concurrent', 'after-lost-response']) {
        const both = await page.call('sendNow', { email }, how)
        const done = { body: { response: { status: 200 } } }
        expect(both, how).toMatchObject([done, done])
        await page.call('runCustomAction', { email, action_id: 'change_to_quarterly' }, how)
        const { orders, actions_run } = await page.look()
        expect([orders.length, actions_run.length], how).toEqual([1, 1])
        await page.move('one-month')
        expect(await page.reset()).toEqual({ status: 200, body: { today, billed: 0 } })
        const { subscriptions, ...others } = await page.look()
        expect(others).toEqual({ today, orders: [], discount_uses: [], actions_run: [] })
        const own = subscriptions.filter((one) => one.email === email)
        expect(own.map(({ id, next_billing_date }) => [id, next_billing_date])).toEqual([
          ['sub_1001', '2026-03-24'],
          ['sub_1002', '2026-04-09'],
        ])
      }
    })
  })
}

describeDemoControls('memory', async () => 'memory')

describeDemoControls('SQLite', async () => `sqlite:${join(await dataFolder(), 'shop.db')}`)
