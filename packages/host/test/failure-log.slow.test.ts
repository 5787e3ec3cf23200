import { startPostgres } from '@storeport/testing/start-postgres'
import { expect, it, onTestFinished, vi } from 'vitest'
import { key } from './open-host.ts'
import { openProcess } from './open-process.ts'

/** The database and the host start slowly on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })

const email = 'subscription@example.com'

it("logs a failure's cause without customer data, and adds a stack trace except in production", async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const STOREPORT_STORE = await postgres.createDatabase()
  const start = (NODE_ENV: string) => openProcess({ STOREPORT_STORE, NODE_ENV })
  const hosts = [await start('development'), await start('production')] as const
  await postgres.pause()
  const failures = await Promise.all(
    hosts.map(async ({ url, output, stop }) => {
      const headers = { 'x-integration-api-key': key }
      const path = `/integration/customer-portal/subscription?email=${email}`
      expect((await fetch(url + path, { headers })).status).toBe(503)
      await vi.waitUntil(() => output.stdout.includes('"request failed"'), 30_000)
      const { lines, text } = await stop()
      expect(text).not.toMatch(/@|%40/)
      return lines.find(({ msg }) => msg === 'request failed') ?? {}
    }),
  )
  await postgres.resume()
  for (const failure of failures) {
    // A paused PostgreSQL server has no socket file and has closed its connections.
    expect(failure['cause']).toMatch(/^(?:ENOENT|ECONNREFUSED|ECONNRESET|57P0[123])$/)
    expect(failure).toMatchObject({ code: 'store_unavailable', endpoint: 'getSubscription' })
  }
  expect(failures[0]?.['at']).toContainEqual(expect.stringMatching(/^at /))
  expect(failures[1]).not.toHaveProperty('at')
})
