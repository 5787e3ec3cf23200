import { type Shop, shopAt } from '@storeport/testing/shop-at'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { findFreePort } from '@storeport/testing/find-free-port'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, vi } from 'vitest'
import { pauseCommand } from '../src/database-commands.ts'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

const email = 'subscription@example.com'

await describeDatabases('storeport pause', (database) => {
  it('pauses operations in all hosts of a database, also after a restart', async () => {
    const STOREPORT_STORE = await database.create()
    const metrics = `127.0.0.1:${await findFreePort()}`
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const hosts = [await openProcess({ STOREPORT_STORE, STOREPORT_METRICS: metrics })]
    const env = { STOREPORT_STORE, STOREPORT_DATA: await dataFolder() }
    const codesOf = (send: (shop: Shop) => Promise<unknown>) =>
      Promise.all(
        hosts.map(({ url }) =>
          send(shopAt(url, key)).then(
            () => 'done',
            ({ code }: { code: string }) => code,
          ),
        ),
      )
    const sendNow = () => codesOf((shop) => shop.sendNow({ email }))
    const readiness = async () => (await fetch(`${hosts[0]?.url}/readyz`)).json()

    await pauseCommand('pause', ['sendNow'], env)
    await pauseCommand('pause', ['sendNow'], env)
    await vi.waitFor(async () => expect(await sendNow()).toEqual(['store_unavailable']), 10_000)
    expect(await codesOf((shop) => shop.delaySubscription({ email, new_date: '2030-01-01' }))).toEqual(['done'])
    expect(await readiness()).toEqual({ status: 'ready', paused: ['sendNow'] })
    expect(await (await fetch(`http://${metrics}/metrics`)).text()).toContain('storeport_paused{endpoint="sendNow"} 1')
    hosts.push(await openProcess({ STOREPORT_STORE }))
    expect(await sendNow()).toEqual(['store_unavailable', 'store_unavailable'])

    await pauseCommand('pause', ['sendNow', '--hide'], env)
    await vi.waitFor(async () => expect(new Set(await sendNow())).toEqual(new Set(['endpoint_not_available'])), 10_000)
    await pauseCommand('pause', [], env)
    await vi.waitFor(async () => expect(new Set(await sendNow())).toEqual(new Set(['store_unavailable'])), 10_000)
    expect(await codesOf((shop) => shop.getSubscription({ email }).then(() => {}))).toEqual(['done', 'done'])
    await pauseCommand('resume', [], env)
    await pauseCommand('resume', [], env)
    await vi.waitFor(async () => expect(await sendNow()).not.toContain('store_unavailable'), 10_000)
    expect(await readiness()).toEqual({ status: 'ready' })
    const { text } = (await hosts[0]?.stop()) ?? { text: '' }
    expect(text).not.toContain('store_unavailable: ')
    expect(text).toContain('operations are paused')
    expect(text).toContain('operations are resumed')
  })
})

it('rejects an unknown operation', async () => {
  await expect(pauseCommand('pause', ['sendnow'], {})).rejects.toThrow('Did you mean sendNow?')
})
