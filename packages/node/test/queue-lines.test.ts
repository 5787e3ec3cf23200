import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitLines } from '../src/operate/log.ts'
import { queueLines } from '../src/operate/log-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates an output whose writes complete only when the test calls `take` or `fail`. */
function createOutput() {
  const written: string[] = []
  let pending: { bytes: Buffer; done: (error: unknown, written: number) => void } | undefined
  const queue = queueLines((bytes, done) => (pending = { bytes, done }))
  const complete = (error: unknown, take: number) => {
    const { bytes, done } = pending ?? { bytes: Buffer.alloc(0), done: () => {} }
    pending = undefined
    written.push(bytes.toString('utf8', 0, take))
    done(error, take)
  }
  return {
    queue,
    text: () => written.join(''),
    isWriting: () => pending !== undefined,
    take: (most = Infinity) => complete(null, Math.min(most, pending?.bytes.length ?? 0)),
    fail: (code: string) => complete(Object.assign(new Error(code), { code }), 0),
  }
}

describe('the queue of log lines', () => {
  it('writes complete lines in order, even if the output accepts only a few bytes at a time', () => {
    const { queue, text, take, isWriting } = createOutput()
    for (const line of ['one\n', 'zwei: ü\n', 'three\n']) queue.write(line)
    while (isWriting()) take(3)
    expect(text()).toBe('one\nzwei: ü\nthree\n')
    expect(queue.dropped()).toBe(0)
  })

  it('drops lines beyond 1 MiB and logs the number of dropped lines when space is available', () => {
    const { queue, text, take, isWriting } = createOutput()
    const line = `${'x'.repeat(1023)}\n`
    for (let written = 0; written < 1030; written += 1) queue.write(line)
    expect(queue.dropped()).toBe(6)
    while (isWriting()) take()
    const lines = text().trim().split('\n')
    expect(lines).toHaveLength(1025)
    const reports = lines.filter((each) => each.startsWith('{')).map((each): unknown => JSON.parse(each))
    expect(reports).toEqual([{ level: 40, time: expect.any(Number), droppedLines: 6, msg: expect.any(String) }])
    queue.write('later\n')
    while (isWriting()) take()
    expect(text()).toMatch(/later\n$/)
  })

  it('retries while the disk is full, without splitting a line', async () => {
    const { queue, text, take, fail, isWriting } = createOutput()
    queue.write('one\n')
    take(2)
    for (let time = 0; time < 5; time += 1) {
      fail('ENOSPC')
      expect(isWriting()).toBe(false)
      await vi.advanceTimersByTimeAsync(100)
    }
    queue.write('two\n')
    while (isWriting()) take()
    expect(text()).toBe('one\ntwo\n')
  })

  it.each(['EPIPE', 'ERR_STREAM_DESTROYED', 'EBADF'])('stops writing after the permanent error %s', (code) => {
    const { queue, fail, isWriting } = createOutput()
    queue.write('one\n')
    queue.write('two\n')
    fail(code)
    queue.write('three\n')
    expect(isWriting()).toBe(false)
    expect(queue.dropped()).toBe(1)
    return expect(queue.flush(1000)).resolves.toBe(undefined)
  })

  it('flushes for at most the given time', async () => {
    const { queue, take } = createOutput()
    await queue.flush(1000)
    queue.write('one\n')
    const ended = vi.fn()
    void queue.flush(1000).then(ended)
    void queue.flush(1000).then(ended)
    await vi.advanceTimersByTimeAsync(10)
    expect(ended).not.toHaveBeenCalled()
    take()
    await vi.advanceTimersByTimeAsync(0)
    expect(ended).toHaveBeenCalledTimes(2)
    queue.write('two\n')
    void queue.flush(1000).then(ended)
    await vi.advanceTimersByTimeAsync(1000)
    expect(ended).toHaveBeenCalledTimes(3)
  })
})

describe('the limit on log lines', () => {
  it('admits 10 lines per second and logs the number of suppressed lines', async () => {
    const warn = vi.fn()
    const limit = limitLines({ warn }, 10)
    const admitted = () => Array.from({ length: 25 }, () => limit.admits()).filter(Boolean).length
    expect(admitted()).toBe(10)
    expect(warn).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    expect(warn).toHaveBeenCalledExactlyOnceWith({ unloggedCalls: 15 }, expect.any(String))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(limit.admits()).toBe(true)
    await vi.advanceTimersByTimeAsync(1000)
    expect(warn).toHaveBeenCalledTimes(1)
    expect(admitted()).toBe(10)
    limit.report()
    expect(warn).toHaveBeenLastCalledWith({ unloggedCalls: 15 }, expect.any(String))
    limit.report()
    expect(warn).toHaveBeenCalledTimes(2)
  })
})
