/** Explanations of Node connection errors, with their codes. `{host}` is replaced by the host. */
const sentences: readonly (readonly [codes: string, sentence: string])[] = [
  ['ECONNREFUSED', 'no server listens at {host}. Check the port, and check that the server is running'],
  ['ENOTFOUND', 'the host {host} was not found. Check the spelling of the URL'],
  ['EAI_AGAIN', 'the DNS lookup of {host} failed. Check the network connection'],
  ['EHOSTUNREACH ENETUNREACH', 'no route to {host}. Check the network connection'],
  ['ETIMEDOUT UND_ERR_CONNECT_TIMEOUT', '{host} does not respond. Check the firewall'],
  ['ECONNRESET UND_ERR_SOCKET EPIPE', "{host} closed the connection without a response. Check the server's log"],
  ['ERR_SSL_WRONG_VERSION_NUMBER EPROTO', '{host} does not use TLS on this port. Try http:// instead of https://'],
  ['CERT_HAS_EXPIRED', 'the TLS certificate of {host} has expired. Renew the certificate'],
  ['CERT_NOT_YET_VALID', 'the TLS certificate of {host} is not valid yet. Check the clocks of both machines'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'the TLS certificate of {host} is for another host. Check the host name in the URL'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    "the TLS certificate of {host} is not signed by a trusted authority. Set NODE_EXTRA_CA_CERTS to the issuer's certificate",
  ],
  ['HPE_HEADER_OVERFLOW', '{host} returns headers that are too large'],
]

/** Returns the code of a connection error. If the error has no code, returns the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return codeOf(error) ?? error.message
}

/** Explains a connection error and how to fix the cause. */
export function explain(reason: string, host: string): string {
  const [, known] = sentences.find(([codes]) => codes.split(' ').includes(reason)) ?? []
  if (known !== undefined) return known.replace('{host}', host)
  if (reason.startsWith('within')) return `${host} did not respond ${reason}`
  if (reason.startsWith('HPE_')) return `${host} does not use HTTP on this port. Try https:// instead of http://`
  if (/CERT|TLS|SSL/.test(reason)) return `the TLS connection to ${host} failed (${reason})`
  return `${host} did not respond (${reason})`
}

/** Returns the code of an error, its cause or its aggregated errors. Node wraps the connection errors of `fetch`. */
function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner: unknown[] = [error.cause, ...(error instanceof AggregateError ? error.errors : [])]
  return inner
    .filter((each) => each instanceof Error)
    .map(codeOf)
    .find((code) => code !== undefined)
}

/** Thrown if a request times out. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * Runs a function with a timeout. Rejects with TimeUp after the given number of milliseconds. If `outer` aborts first,
 * rejects with the abort reason of `outer`.
 *
 * `run` receives a signal that aborts at the same time. The promise rejects even if `run` ignores this signal.
 */
export async function withinTime<Value>(
  milliseconds: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new TimeUp(`within ${milliseconds} ms`)), milliseconds)
  const signal = AbortSignal.any([outer, limit.signal])
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  try {
    signal.throwIfAborted()
    return await Promise.race([run(signal), stopped])
  } finally {
    clearTimeout(timer)
  }
}
