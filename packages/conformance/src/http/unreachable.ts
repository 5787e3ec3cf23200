/** Sentences for what Node says when it cannot reach a server, by error code; `{host}` is the host that was called. */
const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at {host}: is the server running, and the port right?',
  ENOTFOUND: 'there is no host called {host}: is the address spelt right?',
  EAI_AGAIN: 'the name {host} could not be looked up: is there a network?',
  EHOSTUNREACH: 'there is no way to {host}: is the network up?',
  ENETUNREACH: 'there is no way to {host}: is the network up?',
  ETIMEDOUT: '{host} does not answer: is there a firewall in between?',
  UND_ERR_CONNECT_TIMEOUT: '{host} does not answer: is there a firewall in between?',
  ECONNRESET: '{host} closed the connection without an answer',
  UND_ERR_SOCKET: '{host} closed the connection without an answer',
  EPIPE: '{host} closed the connection without an answer',
  ERR_SSL_WRONG_VERSION_NUMBER: '{host} does not speak TLS at this port: is it http:// rather than https://?',
  EPROTO: '{host} does not speak TLS at this port: is it http:// rather than https://?',
  CERT_HAS_EXPIRED: 'the TLS certificate of {host} has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate of {host} is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate of {host} is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned(),
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned(),
  UNABLE_TO_GET_ISSUER_CERT: selfSigned(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: selfSigned(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: selfSigned(),
  HPE_HEADER_OVERFLOW: '{host} answers with headers that are too large',
}

/** What went wrong on the way to a server, in a few words: a code, where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return codeOf(error) ?? error.message
}

/** What went wrong on the way to a server, in a sentence that says what to check. */
export function explain(reason: string, host: string): string {
  const known = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined
  if (known !== undefined) return known.replace('{host}', host)
  if (reason.startsWith('within')) return `${host} gives no answer ${reason}`
  if (reason.startsWith('HPE_')) return `${host} does not speak HTTP at this port: is it https:// rather than http://?`
  if (/CERT|TLS|SSL/.test(reason)) return `the TLS connection to ${host} cannot be made (${reason})`
  return `no answer from ${host} (${reason})`
}

/** Node wraps errors: `fetch` in a cause, a host with several addresses in a list. */
function codeOf(error: Error): string | undefined {
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner: unknown[] = [error.cause, ...(error instanceof AggregateError ? error.errors : [])]
  return inner
    .filter((one) => one instanceof Error)
    .map(codeOf)
    .find((code) => code !== undefined)
}

function selfSigned(): string {
  return 'the TLS certificate of {host} is not signed by anyone this machine knows: NODE_EXTRA_CA_CERTS can name a file with the certificate of its issuer'
}

/** What a call that takes too long ends with. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/**
 * Runs something that may never end: rejects with TimeUp after the given milliseconds, or with the reason of a signal that fires before.
 *
 * What runs receives a signal of its own; nobody waits for it, even when it does not listen.
 */
export function withinTime<Value>(
  milliseconds: number,
  outer: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController()
  return new Promise<Value>((resolve, reject) => {
    const stop = (reason: unknown) => {
      reject(reason)
      controller.abort(reason)
    }
    const stopWithOuter = () => stop(outer.reason)
    const timer = setTimeout(() => stop(new TimeUp(`within ${milliseconds} ms`)), milliseconds)
    outer.addEventListener('abort', stopWithOuter)
    if (outer.aborted) stopWithOuter()
    run(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer)
        outer.removeEventListener('abort', stopWithOuter)
      })
  })
}
