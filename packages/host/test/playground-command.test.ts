import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolder } from '@storeport/testing/start-host-process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { playgroundCommand } from '../src/playground-command.ts'
import { enterPlayground } from './enter-playground.ts'
import { key } from '@storeport/testing/send'
import { openHost } from './open-host.ts'

const profile = `// Customers and codes of this shop.
{ "customers": { "subscribed": "subscription@example.com" }, "discounts": {} }`

const shop = ['--url', 'http://127.0.0.1:1', '--key', key]

async function writeProfile(text: string): Promise<string> {
  const file = join(await dataFolder(), 'profile.jsonc')
  await writeFile(file, text)
  return file
}

async function readConfig(args: readonly string[], env: Record<string, string> = {}): Promise<unknown> {
  const data = await dataFolder()
  const playground = await playgroundCommand([...args, '--port', '0', '--data', data], env)
  onTestFinished(() => playground.close())
  const response = await (await enterPlayground(playground)).get('/playground/config')
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).not.toContain(key)
  return JSON.parse(text)
}

describe('storeport playground', () => {
  it('shows another shop with the customers in a profile', async () => {
    const host = await openHost()
    expect(await readConfig(['--url', host.url, '--key', key, '--profile', await writeProfile(profile)])).toMatchObject(
      {
        baseUrl: host.url,
        shopName: new URL(host.url).host,
        data: 'shop',
        referencePath: null,
        demo: false,
        problem: null,
        customers: [{ email: 'subscription@example.com', label: 'Subscriber' }, { label: 'Not a customer' }],
      },
    )
  })

  it('reads the URL, key, shop name and currency from the environment if no profile is given', async () => {
    const host = await openHost()
    const names = { STOREPORT_SHOP_NAME: 'Moka & Sons', STOREPORT_CURRENCY: 'JPY' }
    const env = { STOREPORT_API_KEY: key, STOREPORT_URL: `${host.url}/`, ...names }
    expect(await readConfig([], env)).toMatchObject({
      shopName: 'Moka & Sons',
      baseUrl: host.url,
      currency: 'JPY',
      problem: null,
      customers: [],
    })
  })

  it('requires a token, which is stored in the data folder', async () => {
    const data = await dataFolder()
    const start = async () => {
      const { url, playgroundUrl, close } = await playgroundCommand([...shop, '--port', '0', '--data', data], {})
      onTestFinished(close)
      expect((await fetch(`${url}/`)).status).toBe(403)
      expect((await fetch(`${url}/playground/config`)).status).toBe(403)
      return new URL(playgroundUrl).searchParams.get('token')
    }
    const token = await start()
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(await start()).toBe(token)
  })

  it.each([{ HOST: '0.0.0.0' }, { NODE_ENV: 'production' }, { STOREPORT_PLAYGROUND: 'off' }])(
    'requires STOREPORT_PLAYGROUND=on if the environment contains %j',
    async (env) => {
      const data = await dataFolder()
      const args = [...shop, '--port', '0', '--data', data]
      await expect(playgroundCommand(args, env)).rejects.toThrow('STOREPORT_PLAYGROUND=on')
      const { playgroundUrl, close } = await playgroundCommand([...args, '--playground', 'on'], env)
      onTestFinished(close)
      expect(playgroundUrl).toMatch(/^http:\/\/localhost:\d+\/\?token=[\w-]{32}$/)
    },
  )

  it('explains each invalid option', async () => {
    const cases: readonly (readonly [args: readonly string[], message: string])[] = [
      [['--key', key], '--url'],
      [['--url', 'shop.example', '--key', key], '--url'],
      [['--url', 'http://127.0.0.1:1'], '--key'],
      [[...shop, '--port', '70000'], 'PORT'],
      [[...shop, '--colour', 'red'], '--colour'],
      [[...shop, '--profile', join(tmpdir(), 'no-such-file')], 'cannot be read'],
      [[...shop, '--profile', await writeProfile('{\n"customers": nobody }')], 'is not valid JSON at line 2'],
      [[...shop, '--profile', await writeProfile('{ "customers": { "subscribed": 7 } }')], 'customers.subscribed'],
    ]
    for (const [args, message] of cases) await expect(playgroundCommand(args, {})).rejects.toThrow(message)
  })
})
