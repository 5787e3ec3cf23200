import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createIntegration, StoreError } from '@storeport/core'
import { key, send } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=jane@shop.example'

/** Returns the line that the default `onError` logs for a thrown value. */
async function lineOf(thrown: unknown): Promise<string> {
  const written: unknown[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...words) => void written.push(...words))
  onTestFinished(() => spy.mockRestore())
  const store = { getSubscription: () => Promise.reject(thrown) }
  const integration = createIntegration({ store, apiKeys: [key] })
  const { status } = await send(integration, portal, { headers: { 'x-request-id': 'r1' } })
  expect(status).toBeGreaterThanOrEqual(500)
  expect(written).toHaveLength(1)
  return String(written[0])
}

/** Creates an error with the fields of a database driver's error and with customer data in its message. */
function fullDisk(): Error {
  const error = new Error('cannot store jane@shop.example: database or disk is full')
  return Object.assign(error, { name: 'SqliteError', code: 'SQLITE_FULL', detail: 'Key (email)=(jane@shop.example)' })
}

describe('failure log line', () => {
  afterEach(() => vi.unstubAllEnvs())

  it("is a single line in production, with the cause's code and without customer data", async () => {
    vi.stubEnv('NODE_ENV', 'production')
    expect(await lineOf(new StoreError('store_unavailable', undefined, { cause: fullDisk() }))).toBe(
      'storeport: getSubscription failed with store_unavailable: StoreError: The shop is temporarily unavailable. (SQLITE_FULL) (request r1)',
    )
    expect(await lineOf(fullDisk())).toBe(
      'storeport: getSubscription failed with internal_error: SqliteError: cannot store [email] database or disk is full (SQLITE_FULL) (request r1)',
    )
    expect(await lineOf(new Error('lost'))).toBe(
      'storeport: getSubscription failed with internal_error: Error: lost (request r1)',
    )
  })

  it.each([undefined, '', 'development', 'test'])('includes the stack frames if NODE_ENV is %j', async (mode) => {
    vi.stubEnv('NODE_ENV', mode)
    const line = await lineOf(new StoreError('store_unavailable', undefined, { cause: fullDisk() }))
    expect(line).toMatch(/\(SQLITE_FULL\) \(request r1\)\n {4}at fullDisk \(.*failure-log\.test\.ts:\d+:\d+\)\n/)
    expect(line).not.toMatch(/jane/)
  })
})
