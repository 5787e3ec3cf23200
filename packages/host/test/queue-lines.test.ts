import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limitLines, queueLines } from '../src/observe/log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An output that takes what a test lets it take. */
function createOutput() {
  const written: string[] = []
  let pending: { bytes: Buffer; done: (error: unknown, written: number) => void } | undefined
  const queue = queueLines((bytes, done) => (pending = { bytes, done }))
  const answer = (error: unknown, take: number) => {
    const { bytes, done } = pending ?? { bytes: Buffer.alloc(0), done: () => {} }
    pending = undefined
    written.push(bytes.toString('utf8', 0, take))
    done(error, take)
  }
  return {
    queue,
    text: () => written.join(''),
    isAsked: () => pending !== undefined,
    take: (most = Infinity) => answer(null, Math.min(most, pending?.bytes.length ?? 0)),
    fail: (code: string) => answer(Object.assign(new Error(code), { code }), 0),
  }
}

describe('lines of the log', () => {
  it('leave in order, whole, however little is taken at a time', () => {
    const { queue, text, take, isAsked } = createOutput()
    for (const line of ['one\n', 'zwei: ü\n', 'three\n']) queue.write(line)
    while (isAsked()) take(3)
    expect(text()).toBe('one\nzwei: ü\nthree\n')
    expect(queue.dropped()).toBe(0)
  })

  it('wait in no more than 1 MiB; the rest is dropped, and counted in a line as soon as there is room', () => {
    const { queue, text, take, isAsked } = createOutput()
    const line = `${'x'.repeat(1023)}\n`
    for (let written = 0; written < 1030; written += 1) queue.write(line)
    expect(queue.dropped()).toBe(6)
    while (isAsked()) take()
    const lines = text().trim().split('\n')
    expect(lines).toHaveLength(1025)
    const told = lines.filter((each) => each.startsWith('{')).map((each): unknown => JSON.parse(each))
    expect(told).toEqual([{ level: 40, time: expect.any(Number), droppedLines: 6, msg: expect.any(String) }])
    queue.write('later\n')
    while (isAsked()) take()
    expect(text()).toMatch(/later\n$/)
  })

  it('are tried again while the disk is full, and none is torn', async () => {
    const { queue, text, take, fail, isAsked } = createOutput()
    queue.write('one\n')
    take(2)
    for (let time = 0; time < 5; time += 1) {
      fail('ENOSPC')
      expect(isAsked()).toBe(false)
      await vi.advanceTimersByTimeAsync(100)
    }
    queue.write('two\n')
    while (isAsked()) take()
    expect(text()).toBe('one\ntwo\n')
  })

  it.each(['EPIPE', 'ERR_STREAM_DESTROYED', 'EBADF'])('are given up when nobody can ever take them: %s', (code) => {
    const { queue, fail, isAsked } = createOutput()
    queue.write('one\n')
    queue.write('two\n')
    fail(code)
    queue.write('three\n')
    expect(isAsked()).toBe(false)
    expect(queue.dropped()).toBe(1)
    return expect(queue.flush(1000)).resolves.toBe(undefined)
  })

  it('are waited for at the end, but no longer than the time', async () => {
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

describe('lines that strangers cause', () => {
  it('are so many a second, and the rest is a number', async () => {
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
