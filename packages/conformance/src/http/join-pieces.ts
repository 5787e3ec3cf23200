/** Longest answer that is read, in bytes: far more than any answer of the API. */
export const mostBytes = 8 * 1024 * 1024

/** Puts pieces together; throws RangeError as soon as they are longer than `mostBytes`, since a body may never end. */
export async function joinPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of pieces) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new RangeError(`the answer does not end within ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
