import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'

const email = 'subscription@example.com'

it('keeps an added product over kill -9, with the default store', async () => {
  const env = { STOREPORT_DATA: await dataFolder(), STOREPORT_LOG: 'silent' }
  const before = await startHostProcess(env)
  const key = (await readFile(join(env.STOREPORT_DATA, 'api-key'), 'utf8')).trim()
  const call = async (url: string, path: string, body?: object) => {
    // Named, since a machine that is busy may take longer to start again than a click without a name is remembered.
    const headers = { 'x-integration-api-key': key, 'content-type': 'application/json', 'idempotency-key': 'one-click' }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${url}/integration${path}`, init)).text()
  }
  const add = { email, product_id: 'test_54321', quantity: 3 }
  expect(await call(before.url, '/upsells/add-product', add)).toBe('{"success":true}')
  before.child.kill('SIGKILL')
  await before.exited

  const after = await startHostProcess(env)
  const kept = await call(after.url, `/customer-portal/subscription?email=${email}`)
  expect(kept).toContain('"title":"Hand Grinder"')
  expect(kept).toContain('"quantity":3')
  // The click is in the same database: a retry that comes after the crash does not add again.
  expect(await call(after.url, '/upsells/add-product', add)).toBe('{"success":true}')
  expect(await call(after.url, `/customer-portal/subscription?email=${email}`)).toBe(
    kept.replaceAll(before.url, after.url),
  )
  after.child.kill('SIGTERM')
  expect((await after.exited).code).toBe(0)
})

it('fills a database with made-up customers, and refuses to without their number', async () => {
  const env = { STOREPORT_DATA: await dataFolder() }
  const seeded = await run(env, ['seed', '--customers', '50']).exited
  expect([seeded.code, seeded.stdout.trim().split('\n').at(-1)]).toEqual([0, '50 of 50 customers'])
  expect((await run(env, ['seed']).exited).stderr).toContain('storeport: seed: say how many')
})

it.each([
  ['postgres://user:secret-word@127.0.0.1:1/shop', 'STOREPORT_STORE: '],
  ['mysql://user:secret-word@127.0.0.1/shop', 'STOREPORT_STORE: must be'],
])('refuses %s with a clear message and without the password', async (STOREPORT_STORE, message) => {
  const ended = await run({ STOREPORT_DATA: await dataFolder(), STOREPORT_STORE, PORT: '0' }).exited
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain(`storeport: ${message}`)
  expect(ended.stderr).not.toContain('secret-word')
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
})
