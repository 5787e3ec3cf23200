import { expect, it } from 'vitest'
import { describeError } from '../src/observe/describe-error.ts'

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

it('copes with an error that has no stack', () => {
  const error = new Error('lost')
  delete error.stack
  expect(describeError(error)).toEqual({ error: 'Error: lost', at: [] })
})
