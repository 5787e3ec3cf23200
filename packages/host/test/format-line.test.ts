import { expect, it } from 'vitest'
import { formatLine } from '../src/observe/log.ts'

const time = new Date(2026, 10, 22, 9, 5, 7).getTime()

it('writes a call on one line, the same words in the same places', () => {
  const call = { level: 30, time, requestId: 'a-1', endpoint: 'listProducts', status: 200, ms: 1.25, msg: 'call' }
  expect(formatLine(JSON.stringify(call))).toBe(
    '09:05:07 info  call requestId=a-1 endpoint=listProducts status=200 ms=1.25\n',
  )
})

it('lets no value move the cursor, and puts a stack on lines of its own', () => {
  const line = { level: 50, time, address: '\u001B[2J', stack: 'Error: gone\n    at shop', msg: 'failure' }
  expect(formatLine(JSON.stringify(line))).toBe(
    '09:05:07 ERROR failure address="\\u001b[2J"\n  Error: gone\n      at shop\n',
  )
})

it('has words for every level, and none for another', () => {
  const words = [10, 20, 30, 40, 50, 60, 70].map((level) => formatLine(JSON.stringify({ level, time, msg: 'x' })))
  expect(words.map((line) => line.slice(9, -1).replace(/ *x$/, ''))).toEqual([
    'trace',
    'debug',
    'info',
    'warn',
    'ERROR',
    'FATAL',
    '',
  ])
})
