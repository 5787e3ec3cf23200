import { expect, it } from 'vitest'
import { describeError } from '@storeport/core'

it('returns an error and its stack frames, with email addresses redacted', () => {
  const described = describeError(new TypeError('cannot find jane@shop.example'))
  expect(described.error).toBe('TypeError: cannot find [email]')
  expect(described.at?.[0]).toContain('describe-error.test.ts')
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

it('describes an error whose properties throw when they are read', () => {
  const message = () => {
    throw new Error('was read')
  }
  const error = Object.defineProperty(new Error('hostile'), 'message', { get: message })
  expect(describeError(error)).toEqual({ error: 'thrown value that cannot be read' })
})

it('returns no stack frames for an error without a stack', () => {
  const error = new Error('lost')
  delete error.stack
  expect(describeError(error)).toEqual({ error: 'Error: lost', at: [] })
})
