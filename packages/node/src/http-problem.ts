import type { IncomingMessage } from 'node:http'

/** What HTTP/1.1 forbids although Node's parser lets it pass (RFC 9112 sections 2.3, 3.2 and 6.1), as a message for the caller. */
export function httpProblem({ headers, httpVersion }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'request: must be HTTP/1.1 or HTTP/1.0'
  const { host, 'transfer-encoding': encoding } = headers
  if (host === undefined && httpVersion === '1.1') return 'Host: must be sent'
  // Repeated headers arrive joined by a comma and a space.
  if (host?.includes(' ')) return 'Host: must be sent only once'
  if (encoding === undefined) return undefined
  if (httpVersion === '1.0') return 'Transfer-Encoding: is not part of HTTP/1.0'
  return encoding.toLowerCase() === 'chunked' ? undefined : 'Transfer-Encoding: must be chunked'
}
