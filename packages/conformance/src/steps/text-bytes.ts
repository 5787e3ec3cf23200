/** How many bytes a text has in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength
}

/** A JSON object of exactly the given number of bytes: the given one with a field that fills it up. */
export function jsonOfBytes(bytes: number, value: object): string {
  const empty = JSON.stringify({ ...value, padding: '' })
  return JSON.stringify({ ...value, padding: 'x'.repeat(bytes - byteLength(empty)) })
}

/** A text in pieces that come one after the other, so that nobody knows its length beforehand. */
export async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size)
}
