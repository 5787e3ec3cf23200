import { expect, it } from 'vitest'
import { describeError } from '@storeport/core'

it('says what was thrown and where, without email addresses', () => {
  const described = describeError(new TypeError('cannot find jane@shop.example'))
  expect(described.error).toBe('TypeError: cannot find [email]')
  expect(described.at?.[0]).toContain('describe-error.test.ts')
})

it('takes nothing of a message for a place', () => {
  const { error, at } = describeError(new Error('lost\n    at jane@shop.example:1:1'))
  expect(error).not.toContain('jane')
  expect(JSON.stringify(at)).not.toContain('jane')
})

it.each([
  [null, 'object'],
  [undefined, 'undefined'],
  ['jane@shop.example', 'string'],
  [Symbol('jane'), 'symbol'],
])('says of %s no more than its type', (thrown, type) => {
  expect(describeError(thrown)).toEqual({ error: `thrown value of type ${type}` })
})

it.each([
  ['the error itself', () => Object.assign(new Error('lost'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [
    'its cause',
    () => new Error('lost', { cause: Object.assign(new Error('full'), { code: 'SQLITE_FULL' }) }),
    'SQLITE_FULL',
  ],
  [
    'the first of all causes',
    () =>
      Object.assign(
        new Error('a', { cause: new Error('b', { cause: Object.assign(new Error('c'), { code: '57014' }) }) }),
        {
          code: 'store_unavailable',
        },
      ),
    '57014',
  ],
  [
    'one of several causes',
    () => new AggregateError([Object.assign(new Error('::1'), { code: 'ETIMEDOUT' }), new Error('127.0.0.1')]),
    'ETIMEDOUT',
  ],
  ['nobody who is no system', () => Object.assign(new Error('lost'), { code: 'jane@shop.example' }), undefined],
  ['nobody, with a number', () => Object.assign(new Error('lost'), { code: 7 }), undefined],
])('says the code of %s', (_whose, make, code) => {
  expect(describeError(make()).cause).toBe(code)
})

it('says where the first cause was thrown, and ends where causes go round', () => {
  const first = new Error('first')
  first.stack = 'Error: first\n    at jane (/shop/database.ts:1:1)'
  const error = new Error('lost', { cause: first })
  expect(describeError(error).at).toEqual(['at jane (/shop/database.ts:1:1)'])
  first.cause = error
  expect(describeError(error).at).toEqual(['at jane (/shop/database.ts:1:1)'])
})

it('copes with an error that throws when somebody looks at it', () => {
  const message = () => {
    throw new Error('looked at')
  }
  const error = Object.defineProperty(new Error('hostile'), 'message', { get: message })
  expect(describeError(error)).toEqual({ error: 'thrown value that cannot be read' })
})

it('copes with an error that has no stack', () => {
  const error = new Error('lost')
  delete error.stack
  expect(describeError(error)).toEqual({ error: 'Error: lost', at: [] })
})
