import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { playgroundCommand } from '../src/commands/playground.ts'
import { key, openHost } from './open-host.ts'

const profile = `// What this shop has.
{ "customers": { "subscribed": "subscription@example.com" }, "discounts": {} }`

async function fileWith(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'storeport-profile-')), 'profile.jsonc')
  await writeFile(file, text)
  return file
}

async function configOf(args: readonly string[], env: Record<string, string> = {}): Promise<unknown> {
  const playground = await playgroundCommand([...args, '--port', '0'], env)
  onTestFinished(() => playground.close())
  const response = await fetch(`${playground.url}/playground/config`)
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).not.toContain(key)
  return JSON.parse(text)
}

describe('storeport playground', () => {
  it('shows another shop, with the customers of a profile', async () => {
    const shop = await openHost()
    expect(await configOf(['--url', shop.url, '--key', key, '--profile', await fileWith(profile)])).toMatchObject({
      baseUrl: shop.url,
      problem: null,
      customers: [{ email: 'subscription@example.com', role: 'subscribed' }, { role: 'unknown' }],
    })
  })

  it('takes key and currency from the environment, and has nobody to choose without a profile', async () => {
    const shop = await openHost()
    const env = { INTEGRATION_API_KEY: key, STOREPORT_CURRENCY: 'JPY' }
    expect(await configOf(['--url', `${shop.url}/`], env)).toMatchObject({
      baseUrl: shop.url,
      currency: 'JPY',
      problem: null,
      customers: [],
    })
  })

  it('says what is wrong with what it was given', async () => {
    const shop = ['--url', 'http://127.0.0.1:1', '--key', key]
    const cases: readonly (readonly [args: readonly string[], message: string])[] = [
      [['--key', key], '--url'],
      [['--url', 'shop.example', '--key', key], '--url'],
      [['--url', 'http://127.0.0.1:1'], '--key'],
      [[...shop, '--port', '70000'], 'PORT'],
      [[...shop, '--colour', 'red'], '--colour'],
      [[...shop, '--currency', 'yen'], 'currency: must be a code of ISO 4217'],
      [[...shop, '--profile', join(tmpdir(), 'no-such-file')], 'cannot be read'],
      [[...shop, '--profile', await fileWith('{\n"customers": nobody }')], 'no JSON from line 2 on'],
      [[...shop, '--profile', await fileWith('{ "customers": { "subscribed": 7 } }')], 'customers.subscribed'],
    ]
    for (const [args, message] of cases) await expect(playgroundCommand(args, {})).rejects.toThrow(message)
  })
})
