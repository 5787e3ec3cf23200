import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'

const email = 'subscription@example.com'

it('preserves an added product after kill -9, in the default store', async () => {
  const env = { STOREPORT_DATA: await dataFolder(), STOREPORT_LOG: 'silent' }
  const before = await startHostProcess(env)
  const key = (await readFile(join(env.STOREPORT_DATA, 'api-key'), 'utf8')).trim()
  const call = async (url: string, path: string, body?: object) => {
    // Sends an idempotency key, because a slow restart may exceed the window of an unnamed click.
    const headers = { 'x-integration-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'one-click' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${url}/integration${path}`, init)).text()
  }
  const add = { email, product_id: 'test_54321', quantity: 3 }
  expect(await call(before.url, '/upsells/add-product', add)).toBe('{"success":true}')
  before.child.kill('SIGKILL')
  await before.exited

  const after = await startHostProcess(env)
  const subscription = await call(after.url, `/customer-portal/subscription?email=${email}`)
  expect(subscription).toContain('"title":"Hand Grinder"')
  expect(subscription).toContain('"quantity":3')
  // The click is stored in the same database, so a retry after the crash does not add the product again.
  expect(await call(after.url, '/upsells/add-product', add)).toBe('{"success":true}')
  expect(await call(after.url, `/customer-portal/subscription?email=${email}`)).toBe(
    subscription.replaceAll(before.url, after.url),
  )
  after.child.kill('SIGTERM')
  expect((await after.exited).code).toBe(0)
})

it('adds generated customers to a database, and requires --customers', async () => {
  const env = { STOREPORT_DATA: await dataFolder() }
  const seeded = await run(env, ['seed', '--customers', '50']).exited
  expect([seeded.code, seeded.stdout.trim().split('\n').at(-1)]).toEqual([0, '50 of 50 customers'])
  expect((await run(env, ['seed']).exited).stderr).toContain('storeport: seed: --customers must be')
})

it.each([
  ['postgres://user:secret-word@127.0.0.1:1/shop', 'STOREPORT_STORE: '],
  ['mysql://user:secret-word@127.0.0.1/shop', 'STOREPORT_STORE: must be'],
])('rejects %s with a clear message that does not contain the password', async (STOREPORT_STORE, message) => {
  const ended = await run({ STOREPORT_DATA: await dataFolder(), STOREPORT_STORE, PORT: '0' }).exited
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(`storeport: ${message}`)
  expect(ended.stderr).not.toContain('secret-word')
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
})
