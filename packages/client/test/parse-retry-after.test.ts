import { expect, test } from 'vitest'
import { parseRetryAfter } from '../src/parse-retry-after.ts'

const now = Date.parse('2030-01-15T12:00:00.400Z')

test.each([
  ['0', 0],
  ['120', 120],
  ['Tue, 15 Jan 2030 12:00:10 GMT', 10],
  ['Tuesday, 15-Jan-30 12:00:10 GMT', 10],
  ['Tue, 15 Jan 2030 11:00:00 GMT', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['', undefined],
  ['soon', undefined],
  ['2030', 2030],
  ['2030-01-15', undefined],
  ['99999999999999999999', undefined],
  ['Xxx, 99 Zzz 2030 12:00:10 GMT', undefined],
  ['Tue, 15 Jan 2030 12:00:10 +0200', undefined],
])('Retry-After %j asks for %o seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds)
})

test('no header asks for nothing', () => {
  expect(parseRetryAfter(null, now)).toBeUndefined()
})
