import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keys } from '@storeport/testing/keys'
import { shopAt } from '@storeport/testing/shop-at'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openTestShop } from './open-shop.ts'

it('runs the server from the README against a seeded account', async () => {
  const { standIn } = await openTestShop(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`)
  const readme = await readFile('packages/store-stripe/README.md', 'utf8')
  const code = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? ''
  const { hostname, port } = new URL(standIn.url)
  const toStandIn = `, { host: '${hostname}', port: '${port}', protocol: 'http' })`
  const folder = await mkdtemp(join(import.meta.dirname, 'readme-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'server.ts')
  await writeFile(file, code.replace(" ?? '')", ` ?? ''${toStandIn}`))
  for (const [name, value] of Object.entries({
    STRIPE_SECRET_KEY: standIn.secretKey,
    STOREPORT_API_KEY: keys.first,
    PORT: '0',
  }))
    vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { url, close }: { url: string; close(): Promise<void> } = await import(file)
  onTestFinished(close)
  const shop = shopAt(url, keys.first)
  expect((await shop.listProducts({})).products.map(({ id }) => id)).toContain('test_12345')
  await shop.runCustomAction({ email: 'subscription@example.com', action_id: 'join_waitlist' })
})
