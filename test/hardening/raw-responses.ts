import { connect } from 'node:net'

/** An HTTP response, parsed from the bytes of a connection. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends bytes, closes the sending side, and returns all responses after the server has closed the connection. */
export async function exchange(port: number, bytes: Uint8Array): Promise<readonly RawResponse[]> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (data) => received.push(data))
  socket.on('error', () => {})
  socket.end(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  return [...parseResponses(Buffer.concat(received))]
}

/** Splits the bytes into responses by Content-Length, and omits 1xx responses, which have no body. */
function* parseResponses(received: Buffer): Generator<RawResponse> {
  for (let rest = received; rest.length > 0;) {
    const bodyAt = rest.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) throw new Error(`Not an HTTP response: ${rest.toString()}`)
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, bodyAt - 4).split('\r\n')
    const headers = Object.fromEntries(lines.map(nameAndValue))
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    const end = bodyAt + Number(headers['content-length'] ?? 0)
    if (status !== 100) yield { status, headers, text: rest.toString('utf8', bodyAt, end) }
    rest = rest.subarray(end)
  }
}

function nameAndValue(line: string): [name: string, value: string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
