import { expect, test } from 'vitest'
import { readText } from '../src/read-text.ts'

/** A response whose body arrives byte by byte. */
function inSingleBytes(bytes: Iterable<number>): Response {
  return new Response(ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte))))
}

test('characters that are split over chunks are put together', async () => {
  expect(await readText(inSingleBytes(new TextEncoder().encode('aé€😀')), 100)).toBe('aé€😀')
})

test('a character that is cut off at the end is not UTF-8', async () => {
  const cut = new TextEncoder().encode('€').subarray(0, 2)
  await expect(readText(inSingleBytes(cut), 100)).rejects.toMatchObject({ code: 'upstream_error' })
})

test('an answer without a body is empty', async () => {
  expect(await readText(new Response(null, { status: 204 }), 100)).toBe('')
})
