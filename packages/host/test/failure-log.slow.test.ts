import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { startPostgres } from '@storeport/testing/start-postgres'
import { expect, it, onTestFinished, vi } from 'vitest'

/** A database and a host take a while to start on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })

const key = 'a-key-of-the-tests-0001'
const email = 'subscription@example.com'

it('the line of a failure holds the code of its cause, and outside production where it was thrown; no customer data', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const STOREPORT_STORE = await postgres.createDatabase()
  const start = async (NODE_ENV: string) => {
    const env = { STOREPORT_DATA: await dataFolder(), STOREPORT_STORE, STOREPORT_API_KEYS: key, NODE_ENV }
    const host = await startHostProcess(env)
    onTestFinished(() => void host.child.kill('SIGKILL'))
    return host
  }
  const hosts = [await start('development'), await start('production')] as const
  await postgres.pause()
  const failures = await Promise.all(
    hosts.map(async ({ url, child, output, exited }) => {
      const headers = { 'x-integration-api-key': key }
      const path = `/integration/customer-portal/subscription?email=${email}`
      expect((await fetch(url + path, { headers })).status).toBe(503)
      await vi.waitUntil(() => output.stdout.includes('"failure"'))
      child.kill('SIGTERM')
      const { stdout } = await exited
      expect(stdout.split('\n').filter((line) => line.startsWith('{') && /@|%40/.test(line))).toEqual([])
      const line = stdout.split('\n').find((each) => each.includes('"failure"')) ?? ''
      const failure: Record<string, unknown> = JSON.parse(line)
      return failure
    }),
  )
  await postgres.resume()
  for (const failure of failures) {
    // The server listens on a socket in a folder, which goes with it; a connection that was open is ended by it.
    expect(failure['cause']).toMatch(/^(?:ENOENT|ECONNREFUSED|ECONNRESET|57P0[123])$/)
    expect(failure).toMatchObject({ code: 'store_unavailable', endpoint: 'getSubscription' })
  }
  expect(failures[0]?.['at']).toContainEqual(expect.stringMatching(/^at /))
  expect(failures[1]).not.toHaveProperty('at')
})
