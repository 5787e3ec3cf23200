import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitTarget } from '../src/respond.ts'

test.each([
  ['/integration/custom-action', '/integration/custom-action', ''],
  ['/a?email=x@example.com', '/a', 'email=x@example.com'],
  ['/a?', '/a', ''],
  ['/a?b?c', '/a', 'b?c'],
  ['//a/../%61', '//a/../%61', ''],
  ['*', '*', ''],
  ['', '', ''],
  ['http://shop.example:80/a/b?c=d', '/a/b', 'c=d'],
  ['HTTPS://shop.example/a', '/a', ''],
  ['http://shop.example', '/', ''],
  ['http://shop.example?c=d', '/', 'c=d'],
  ['http://shop.example//a', '//a', ''],
  ['ftp://shop.example/a', 'ftp://shop.example/a', ''],
])('splits %j into the path %j and the query %j', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

test('splits an absolute URL in the same way as its path', () => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      expect(splitTarget(`http://shop.example/${rest}`)).toEqual(splitTarget(`/${rest}`))
    }),
  )
})
