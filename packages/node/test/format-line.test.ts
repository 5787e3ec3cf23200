import { expect, it } from 'vitest'
import { formatLine } from '../src/operate/log.ts'

const time = new Date(2026, 10, 22, 9, 5, 7).getTime()

it('formats a request as one line', () => {
  const request = {
    level: 30,
    time,
    requestId: 'a-1',
    endpoint: 'listProducts',
    status: 200,
    ms: 1.25,
    msg: 'request completed',
  }
  expect(formatLine(JSON.stringify(request))).toBe(
    '09:05:07 info  request completed requestId=a-1 endpoint=listProducts status=200 ms=1.25\n',
  )
})

it('escapes control characters and prints a stack on separate lines', () => {
  const line = { level: 50, time, address: '\u001B[2J', stack: 'Error: gone\n    at shop', msg: 'request failed' }
  expect(formatLine(JSON.stringify(line))).toBe(
    '09:05:07 ERROR request failed address="\\u001b[2J"\n  Error: gone\n      at shop\n',
  )
})

it('prints the name of each level, and no name for other levels', () => {
  const names = [30, 40, 50, 60, 70].map((level) => formatLine(JSON.stringify({ level, time, msg: 'x' })))
  expect(names.map((line) => line.slice(9, -1).replace(/ *x$/, ''))).toEqual(['info', 'warn', 'ERROR', 'FATAL', ''])
})
