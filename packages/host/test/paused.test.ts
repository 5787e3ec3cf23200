import { endpointNames, endpointRow } from '@storeport/core'
import { expect, it } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { send } from '@storeport/testing/send'
import { openHost } from './open-host.ts'

const changes = endpointNames.filter((name) => endpointRow(name).method === 'POST')

const email = 'subscription@example.com'

async function open(env: Record<string, string>) {
  const host = await openHost(env)
  return {
    ...host,
    send: (path: string, body: object) => send(host.url, `/integration/customer-portal/${path}`, { body }),
    get: (path: string) => send(host.url, path),
  }
}

it('rejects requests to a paused endpoint after the check of their input', async () => {
  const host = await open({ STOREPORT_PAUSED: 'sendNow, addProduct', STOREPORT_METRICS: '127.0.0.1:0' })
  const paused = await host.send('send-now', { email })
  expect([paused.status, paused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(paused.json).toMatchObject({ error: { code: 'store_unavailable' } })
  expect((await host.send('send-now', {})).status).toBe(400)
  expect((await host.send('delay', { email, new_date: '2999-01-01' })).status).toBe(200)
  expect(host.seeded.orders(email)).toEqual([])
  expect((await host.get('/readyz')).json).toEqual({ status: 'ready', paused: ['sendNow', 'addProduct'] })
  expect(await (await fetch(host.metricsUrl ?? '')).text()).toContain('storeport_paused{endpoint="sendNow"} 1')
})

it('pauses every change with `all`', async () => {
  expect(readSettings([], { STOREPORT_PAUSED: 'all' }).paused).toEqual(changes)
  const host = await open({ STOREPORT_PAUSED: 'all' })
  expect((await host.send('delay', { email, new_date: '2999-01-01' })).status).toBe(503)
  expect((await host.get(`/integration/customer-portal/subscription?email=${email}`)).status).toBe(200)
})

it('hides an endpoint like an endpoint that the shop does not implement', async () => {
  const host = await open({ STOREPORT_HIDDEN: 'sendNow' })
  const hidden = await host.send('send-now', { email })
  expect([hidden.status, hidden.json]).toMatchObject([404, { error: { code: 'endpoint_not_available' } }])
  expect(host.integration.offered).toEqual(endpointNames.filter((name) => name !== 'sendNow'))
  expect((await host.get('/readyz')).json).toEqual({ status: 'ready' })
})

it.each([
  [['--paused', 'sendnow'], 'STOREPORT_PAUSED: "sendnow" is not an endpoint. Did you mean sendNow? Use listProducts, '],
  [['--hidden', 'sendNow,al'], 'STOREPORT_HIDDEN: "al" is not an endpoint. Use listProducts, '],
  [['--paused', 'al'], 'STOREPORT_PAUSED: "al" is not an endpoint. Did you mean all?'],
])('rejects %j', (args, message) => {
  expect(() => readSettings(args, {})).toThrow(message)
})
