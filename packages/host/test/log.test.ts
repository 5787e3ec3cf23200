import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { openLog } from '../src/observe/log.ts'

/** Opens a log on an output that completes its writes only when the test calls `drain`. */
function openOutput({ isTTY = false } = {}) {
  const written: string[] = []
  const pending: (() => void)[] = []
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk))
      pending.push(done)
    },
  })
  const drain = async () => {
    for (let done = pending.shift(); done !== undefined; done = pending.shift()) {
      done()
      await new Promise(setImmediate)
    }
  }
  return { ...openLog('info', Object.assign(stream, { isTTY })), written, drain }
}

const parse = (text: string) => JSON.parse(text)
const dropReport = (droppedLines: number) => ({
  level: 40,
  time: expect.any(Number),
  droppedLines,
  msg: expect.any(String),
})

describe('the log of the host', () => {
  it('writes lines as JSON at or above its level', () => {
    const { log, written } = openOutput()
    const line = { requestId: 'a-1', code: undefined }
    log.info(line, 'request completed')
    expect(written.map(parse)).toEqual([
      { level: 30, time: expect.any(Number), requestId: 'a-1', msg: 'request completed' },
    ])
    expect(written[0]).toMatch(/^[^\n]*\n$/)
  })

  it('drops lines beyond 256 KiB if its reader stalls, and logs the number of dropped lines later', async () => {
    const { log, written, dropped, drain } = openOutput()
    const text = 'x'.repeat(1024)
    for (let count = 0; count < 290; count += 1) log.info(text)
    const lost = dropped()
    expect(lost).toBeGreaterThan(20)
    expect(lost).toBeLessThan(60)
    await drain()
    expect(written).toHaveLength(290 - lost)
    log.info('later')
    await drain()
    log.info('last')
    expect(written.slice(-2).join('').trim().split('\n').map(parse)).toMatchObject([
      dropReport(lost),
      { msg: 'later' },
      { msg: 'last' },
    ])
    expect(dropped()).toBe(lost)
  })

  it('counts the lines that its output rejects, and logs their number later', async () => {
    const written: string[] = []
    let isFull = true
    // Recovers from errors, as `process.stdout` does.
    const output = Object.assign(new EventEmitter(), {
      writableLength: 0,
      write: (text: string, done: (error?: Error) => void) => {
        if (isFull) return setImmediate(done, new Error('ENOSPC'))
        written.push(text)
        setImmediate(done)
      },
    })
    const { log, dropped } = openLog('info', output)
    for (const message of ['one', 'two']) {
      log.info(message)
      await new Promise(setImmediate)
    }
    isFull = false
    log.info('three')
    log.info('four')
    expect(written.join('').trim().split('\n').map(parse)).toMatchObject([
      dropReport(2),
      { msg: 'three' },
      { msg: 'four' },
    ])
    expect(dropped()).toBe(2)
  })

  it('writes readable text on a terminal and escapes control characters', async () => {
    const { log, written, drain } = openOutput({ isTTY: true })
    log.info({ requestId: 'a-1', status: 200, ms: 1.25 }, 'request completed')
    log.warn({ address: '\u001B[2J' }, 'late')
    log.error('request failed')
    log.fatal('exiting')
    await drain()
    expect(written.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
      'info  request completed requestId=a-1 status=200 ms=1.25\n',
      'warn  late address="\\u001b[2J"\n',
      'ERROR request failed\n',
      'FATAL exiting\n',
    ])
  })
})
