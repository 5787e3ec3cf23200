import { shopAt } from '@storeport/testing/shop-at'
import { openSqlStore } from '@storeport/store-sql'
import { describeDatabases } from '@storeport/testing/describe-databases'
import { dataFolder } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished, vi } from 'vitest'
import { adoptCommand } from '../src/copied-database.ts'
import { backupCommand, billCommand, pauseCommand } from '../src/database-commands.ts'
import { readSettings } from '../src/settings/settings.ts'
import { startHost } from '../src/start-host.ts'
import { enterPlayground } from './enter-playground.ts'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

const email = 'subscription@example.com'
const live = 'https://shop.example'
const staging = 'https://staging.shop.example'
const changes = [
  ...['addProduct', 'undoAddProduct', 'swapProduct', 'delaySubscription', 'sendNow'],
  ...['reactivateSubscription', 'runCustomAction'],
]

await describeDatabases('a copied database', (database, server) => {
  /** Restores a backup of SQLite, or clones a PostgreSQL database without connections. */
  async function copy(url: string): Promise<string> {
    const target = await database.create()
    if (server === undefined) await backupCommand([target.slice('sqlite:'.length)], { STOREPORT_STORE: url })
    else {
      const nameOf = (each: string) => new URL(each).pathname.slice(1)
      await server.dropDatabase(target)
      await server.query(`create database ${nameOf(target)} template ${nameOf(url)}`)
    }
    return target
  }

  async function open(env: Record<string, string>) {
    const variables = { PORT: '0', STOREPORT_API_KEYS: key, STOREPORT_LOG: 'silent', ...env }
    const host = await startHost(readSettings([], { STOREPORT_DATA: await dataFolder(), ...variables }))
    onTestFinished(() => host.close())
    return host
  }

  const add = ({ url }: { url: string }, product_id = 'test_54321') =>
    shopAt(url, key)
      .addProduct({ email, product_id })
      .then(
        () => 'done',
        ({ code }: { code: string }) => code,
      )

  async function countOrders(url: string): Promise<number> {
    const store = await openSqlStore({ url })
    onTestFinished(() => store.close())
    return (await store.orders(email, { limit: 1000 })).length
  }

  it('is read-only until an operator adopts it', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const original = await database.create()
    const env = { STOREPORT_STORE: original, STOREPORT_PUBLIC_URL: live }
    const first = await open(env)
    expect(await add(first)).toBe('done')
    if (server !== undefined) await first.close()
    const url = await copy(original)

    const own = { STOREPORT_STORE: url, STOREPORT_PUBLIC_URL: staging }
    // All orders are due on this date.
    const date = { STOREPORT_TODAY: '2999-01-01', STOREPORT_BILLING: 'on' }
    const copied = await openProcess({ ...own, ...date, STOREPORT_PLAYGROUND: 'on' })
    expect(await add(copied)).toBe('store_unavailable')
    const reason = `The database belongs to ${live}, and STOREPORT_PUBLIC_URL is ${staging}. If this is a copy for this host, run storeport adopt.`
    const ready: { readonly paused: string[] } = JSON.parse(await (await fetch(`${copied.url}/readyz`)).text())
    expect(ready).toMatchObject({ status: 'ready', reason })
    expect(ready.paused.toSorted()).toEqual(changes.toSorted())
    const [, playgroundUrl] = /Open (\S+)/.exec(copied.output.stdout) ?? []
    const page = await enterPlayground({ url: copied.url, playgroundUrl })
    expect(await (await page.get('/playground/config')).json()).toMatchObject({ pausedReason: reason })
    await expect(shopAt(copied.url, key).getSubscription({ email })).resolves.toBeDefined()
    await expect(billCommand([], { ...own, ...date }, new AbortController().signal)).rejects.toThrow(`bill: ${reason}`)
    expect(await countOrders(url)).toBe(0)
    await pauseCommand('resume', [], own)
    expect(log).toHaveBeenLastCalledWith(`Hosts with this URL still pause all changes. ${reason}`)

    await adoptCommand([], own)
    expect(log).toHaveBeenLastCalledWith(`The database belonged to ${live}. Now: ${staging}`)
    await vi.waitFor(async () => expect(await add(copied)).toBe('done'), 10_000)
    expect(await (await fetch(`${copied.url}/readyz`)).json()).toEqual({ status: 'ready' })
    const { text } = await copied.stop()
    expect(text).toContain(`"reason":"${reason}"`)
    expect(text).toContain('operations are resumed')
    // The original database is unchanged.
    expect(await add(await open(env), 'test_12345')).toBe('done')
  })

  it('is not assumed for hosts that share a database, and without STOREPORT_PUBLIC_URL', async () => {
    const STOREPORT_STORE = await database.create()
    const STOREPORT_DATA = await dataFolder()
    const hosts = [
      await open({ STOREPORT_STORE, STOREPORT_DATA }),
      await open({ STOREPORT_STORE, STOREPORT_DATA, STOREPORT_PUBLIC_URL: live }),
      await open({ STOREPORT_STORE, STOREPORT_DATA, STOREPORT_PUBLIC_URL: 'https://SHOP.example:443/' }),
      await open({ STOREPORT_STORE, STOREPORT_PUBLIC_URL: live }),
      await open({ STOREPORT_STORE }),
    ]
    const products = ['test_12345', 'test_67890', 'test_54321']
    for (const [at, host] of hosts.entries()) expect([at, await add(host, products[at % 3])]).toEqual([at, 'done'])
  })
})

it.each([
  [[], { STOREPORT_STORE: 'sqlite:shop.db' }, 'adopt: set STOREPORT_PUBLIC_URL'],
  [[], { STOREPORT_STORE: 'memory', STOREPORT_PUBLIC_URL: live }, 'must be a database, not memory'],
  [[staging], {}, 'adopt: too many arguments'],
])('storeport adopt %j with %j fails', async (args, env, message) => {
  await expect(adoptCommand(args, env)).rejects.toThrow(message)
})
