import { expect, it, onTestFinished, vi } from 'vitest'
import { createIntegration, describeError, StoreError } from '@storeport/core'
import { key, send } from './support.ts'

const portal = '/integration/customer-portal/subscription?email=jane@shop.example'

/** Returns the line that the default `onError` logs for a thrown value. */
async function lineOf(thrown: unknown, mode: string | undefined): Promise<string> {
  vi.stubEnv('NODE_ENV', mode)
  const written: unknown[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...words) => void written.push(...words))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    spy.mockRestore()
  })
  const store = { getSubscription: () => Promise.reject(thrown) }
  await send(createIntegration({ store, apiKeys: [key] }), portal, { headers: { 'x-request-id': 'r1' } })
  expect(written).toHaveLength(1)
  return String(written[0])
}

/** Creates an error with the fields of a database driver's error and with customer data in its message. */
function fullDisk(): Error {
  const error = new Error('cannot store jane@shop.example: database or disk is full')
  return Object.assign(error, { name: 'SqliteError', code: 'SQLITE_FULL', detail: 'Key (email)=(jane@shop.example)' })
}

const isFull = () => new StoreError('store_unavailable', undefined, { cause: fullDisk() })

it.each([
  [isFull(), 'store_unavailable: StoreError: The shop is temporarily unavailable. (SQLITE_FULL)'],
  [fullDisk(), 'internal_error: SqliteError: cannot store [email] database or disk is full (SQLITE_FULL)'],
  [new Error('lost'), 'internal_error: Error: lost'],
])('logs a single line in production, with the code of the cause and without customer data', async (error, line) => {
  expect(await lineOf(error, 'production')).toBe(`storeport: getSubscription failed with ${line} (request r1)`)
})

it.each([undefined, '', 'development', 'test'])('logs the stack frames if NODE_ENV is %j', async (mode) => {
  const line = await lineOf(isFull(), mode)
  expect(line).toMatch(/\(SQLITE_FULL\) \(request r1\)\n {4}at fullDisk \(.*failure-log\.test\.ts:\d+:\d+\)\n/)
  expect(line).not.toMatch(/jane/)
})

it('does not treat a line of the error message as a stack frame', () => {
  const { error, at } = describeError(new Error('lost\n    at jane@shop.example:1:1'))
  expect(error).not.toContain('jane')
  expect(JSON.stringify(at)).not.toContain('jane')
})

it.each([
  [null, 'object'],
  [undefined, 'undefined'],
  ['jane@shop.example', 'string'],
  [Symbol('jane'), 'symbol'],
])('returns only the type of a thrown value that is not an error: %s', (thrown, type) => {
  expect(describeError(thrown)).toEqual({ error: `thrown value of type ${type}` })
})

const withCode = (code: unknown, cause?: unknown) => Object.assign(new Error('lost', { cause }), { code })

it.each<[string, Error, string | undefined]>([
  ['the error itself', withCode('ECONNREFUSED'), 'ECONNREFUSED'],
  ["the error's cause", new Error('lost', { cause: withCode('SQLITE_FULL') }), 'SQLITE_FULL'],
  ['the innermost cause', withCode('store_unavailable', new Error('b', { cause: withCode('57014') })), '57014'],
  ['the first error in an AggregateError', new AggregateError([withCode('ETIMEDOUT'), new Error('x')]), 'ETIMEDOUT'],
  ['no error, if it contains an email address', withCode('jane@shop.example'), undefined],
  ['no error, if it is a number', withCode(7), undefined],
])('returns the system or database code of %s', (_what, error, code) => {
  expect(describeError(error).cause).toBe(code)
})

it('returns the stack frames of the innermost cause, and stops at circular causes', () => {
  const first = new Error('first')
  first.stack = 'Error: first\n    at jane (/shop/database.ts:1:1)'
  const error = new Error('lost', { cause: first })
  expect(describeError(error).at).toEqual(['at jane (/shop/database.ts:1:1)'])
  first.cause = error
  expect(describeError(error).at).toEqual(['at jane (/shop/database.ts:1:1)'])
})

it('describes an error whose properties throw when they are read, and an error without a stack', () => {
  const message = () => {
    throw new Error('was read')
  }
  const hostile = Object.defineProperty(new Error('hostile'), 'message', { get: message })
  expect(describeError(hostile)).toEqual({ error: 'thrown value that cannot be read' })
  const error = new Error('lost')
  delete error.stack
  expect(describeError(error)).toEqual({ error: 'Error: lost', at: [] })
})
