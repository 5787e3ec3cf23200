import { expect, onTestFinished, test, vi } from 'vitest'
import { readResponse } from '../src/read-response.ts'

/** Creates a response whose body arrives byte by byte. */
function respondInBytes(bytes: Iterable<number>): Response {
  return new Response(ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte))))
}

test('decodes characters that are split between chunks', async () => {
  expect(await readResponse(respondInBytes(new TextEncoder().encode('aé€😀')), 100)).toMatchObject({ text: 'aé€😀' })
})

test('rejects a truncated character at the end of the body', async () => {
  const cut = new TextEncoder().encode('€').subarray(0, 2)
  await expect(readResponse(respondInBytes(cut), 100)).rejects.toMatchObject({ code: 'upstream_error' })
})

test('returns an empty string for a response without a body', async () => {
  expect(await readResponse(new Response(null, { status: 204 }), 100)).toMatchObject({ text: '' })
})

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
])('parses Retry-After %j as %o seconds', async (header, retryAfter) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-15T12:00:00.400Z') })
  onTestFinished(() => void vi.useRealTimers())
  const response = new Response('', { headers: { 'Retry-After': header } })
  expect(await readResponse(response, 100)).toMatchObject({ retryAfter })
})

test('sets retryAfter to undefined if the header is missing', async () => {
  expect(await readResponse(new Response(''), 100)).toMatchObject({ retryAfter: undefined })
})
