import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoState } from '@storeport/playground'
import { describeDatabases } from '@storeport/testing/stores/describe-databases'
import { dataFolder, run, startHostProcess } from '@storeport/testing/start-host-process'
import { expect, it, onTestFinished } from 'vitest'
import { enterPlayground } from './enter-playground.ts'

const email = 'subscription@example.com'

async function startPage(env: Record<string, string>) {
  const { child, exited, output, url } = await startHostProcess({ STOREPORT_LOG: 'silent', ...env })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const playgroundUrl = /http:\/\/localhost:\d+\/\?token=[\w-]+/.exec(output.stdout)?.[0]
  const { get, post } = await enterPlayground({ url, playgroundUrl })
  return {
    look: async (): Promise<DemoState> => JSON.parse(await (await get('/playground/shop')).text()),
    sendNow: () => post('/playground/call', { endpoint: 'sendNow', input: { email } }),
  }
}

await describeDatabases('storeport reset', (database) => {
  it('restores the seed data while a host runs, and preserves the API key and token', async () => {
    const [STOREPORT_TODAY, STOREPORT_STORE] = ['2026-03-10', await database.create()]
    const env = { STOREPORT_TODAY, STOREPORT_STORE, STOREPORT_DATA: await dataFolder() }
    const secrets = () =>
      Promise.all(['api-key', 'token'].map((name) => readFile(join(env.STOREPORT_DATA, name), 'utf8')))
    const page = await startPage(env)
    const before = await secrets()
    await page.sendNow()
    expect((await page.look()).orders).toHaveLength(1)

    const both = await Promise.all([run(env, ['reset', '--yes']).exited, run(env, ['reset', '--yes']).exited])
    for (const { code, stdout, stderr } of both) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toBe(`Restored the seed data with the date ${STOREPORT_TODAY}\n`)
    }
    expect((await page.look()).orders).toEqual([])
    expect(await secrets()).toEqual(before)
    // If the reset had not removed the earlier click, this click would not create an order.
    await page.sendNow()
    expect((await page.look()).orders).toHaveLength(1)
  })

  it('is rejected without a confirmation, or if the database contains other customers', async () => {
    const env = { STOREPORT_STORE: await database.create(), STOREPORT_DATA: await dataFolder() }
    const unconfirmed = await run(env, ['reset']).exited
    expect(unconfirmed.stderr).toBe('storeport: reset: not an interactive terminal. To skip the question, use --yes.\n')
    expect(await run(env, ['seed', '--customers', '3']).exited).toMatchObject({ code: 0 })
    const { code, stderr } = await run(env, ['reset', '--yes']).exited
    expect(code).toBe(1)
    expect(stderr).toMatch(/^storeport: reset: the database was not seeded by the host, or contains other customers/)
  })
})
